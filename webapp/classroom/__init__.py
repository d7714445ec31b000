"""Classes: a teacher's control, a projector, and the phones of students who vote."""
