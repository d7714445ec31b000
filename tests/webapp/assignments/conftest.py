"""Fixtures: an assignment, and a student who has begun it."""

import pytest

from tests.webapp.assignments.people import Student, Teacher


@pytest.fixture
def teacher(app):
    return Teacher(app)


@pytest.fixture
def student(app, teacher):
    return Student(app, teacher.code)
