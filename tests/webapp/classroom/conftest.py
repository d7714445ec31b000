"""Fixtures: a class that has started."""

import pytest

from tests.webapp.classroom.people import Student, Teacher


@pytest.fixture
def teacher(app):
    return Teacher(app)


@pytest.fixture
def student(app, teacher):
    return Student(app, teacher.code)


@pytest.fixture
def others(app, teacher):
    return [Student(app, teacher.code) for _ in range(3)]
