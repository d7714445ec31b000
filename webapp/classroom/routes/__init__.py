"""Routes of a class: the teacher's control, the projector, the students' phones."""

from webapp.classroom.routes.front import classroom
from webapp.classroom.routes.phones import joining, phones
from webapp.classroom.routes.teacher import screen, teaching

BLUEPRINTS = (classroom, teaching, screen, joining, phones)
