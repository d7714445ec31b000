"""Assignments: tasks for students at home, with what each has tried and solved."""
