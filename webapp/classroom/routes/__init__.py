"""Routes of a class: the teacher's control, the projector, the students' phones."""

from webapp.classroom.routes.control import screen, teaching
from webapp.classroom.routes.front import classroom
from webapp.classroom.routes.matches import class_matches
from webapp.classroom.routes.phones import joining, phones
from webapp.classroom.routes.report import afterwards

BLUEPRINTS = (classroom, teaching, class_matches, screen, joining, phones, afterwards)
