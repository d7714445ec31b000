"""The class that a request is about: found, checked that it is the teacher's, changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request

from webapp.classroom.forms import read_number
from webapp.classroom.models import ClassSession, NotYourClassError, UnknownClassError
from webapp.classroom.store import ClassStore
from webapp.services import service
from webapp.web.cookies import current_player

NOT_YOURS = "only the teacher of this class sees its control: students join by the code"

Change = Callable[[ClassSession], ClassSession]


def taught(class_id: str) -> ClassSession:
    """Load a class taught by this visitor; raises NotYourClassError."""
    session = service(ClassStore).find(class_id)
    if not session.record.is_taught_by(current_player()):
        raise NotYourClassError(NOT_YOURS)
    return session


def find_by_key(class_id: str, key: str) -> ClassSession:
    """Load a class by its control key; raises UnknownClassError."""
    session = service(ClassStore).find(class_id)
    if session.record.key != key or session.record.is_over:
        raise UnknownClassError("this link gives control of no class")
    return session


def change(session: ClassSession, change: Change) -> ClassSession:
    """Change the class in one transaction."""
    return service(ClassStore).change(session.record.id, change)


def update(session: ClassSession, **values: Any) -> ClassSession:
    """Set values of the record of the class."""
    return change(session, lambda now: now.with_record(**values))


def form_number(name: str) -> int:
    """Read a number that the form has to hold; raises InvalidFormError."""
    return read_number(request.form, name, f"the form does not say which {name} it is about")
