"""Routes of assignments: the teacher's pages, and the students'."""

from webapp.assignments.routes.students import homework
from webapp.assignments.routes.teacher import assignments

BLUEPRINTS = (assignments, homework)
