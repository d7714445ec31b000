"""Actions of the control on the class itself and on who sits in it."""

from __future__ import annotations

import secrets

from flask import request

from webapp.classroom import rules
from webapp.classroom.models import ClassSession, NotYourClassError
from webapp.classroom.routes.records import site
from webapp.classroom.routes.session import change, form_number, update
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.config import Config
from webapp.services import Clock, service
from webapp.web.cookies import current_player
from webapp.web.errors import InvalidFormError

RECENT_S = 60  # who joined within it is sent out together


def change_settings(session: ClassSession) -> ClassSession:
    """Settings of the class: names, address, lock, control link, how long it is kept, its end."""
    wanted, address = request.form.get("do", ""), request.form.get("address", "")
    match wanted:
        case "names" | "no-names":
            return update(session, names=wanted == "names")
        case "keep":
            days = service(Config).keep_class_days
            return change(session, lambda now: rules.kept(now, days))
        case "end":
            return change(session, rules.ended)
        case "lock" | "unlock":
            return update(session, locked=wanted == "lock")
        case "new-link" if current_player() != session.record.owner:
            raise NotYourClassError("only the device that began the class makes a new link")
        case "new-link":
            return update(session, key=secrets.token_urlsafe(16), second=None)
        case "address" if address in site().network:
            return update(session, address=address)
        case _:
            raise InvalidFormError(wanted[:20], "that cannot be set")


def change_seat(session: ClassSession) -> ClassSession:
    """Remove a student, or let them in again; or remove all who joined lately."""
    removed, class_id = request.form.get("do") == "remove", session.record.id
    if request.form.get("do") == "remove-recent":
        service(SeatStore).remove_since(class_id, service(Clock).now() - RECENT_S)
        return service(ClassStore).find(class_id)
    service(SeatStore).change(class_id, form_number("seat"), removed=removed)
    return service(ClassStore).find(class_id)
