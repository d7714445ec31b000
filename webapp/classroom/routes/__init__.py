"""The pages of a class: the teacher's control, the projector, the students' phones."""
