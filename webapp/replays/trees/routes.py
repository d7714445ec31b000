"""The tree of a position: the textbook search, one address for every moment of it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from webapp.replays.models import Record
from webapp.replays.permissions import check_advised, check_ply
from webapp.replays.query import Look
from webapp.replays.trees.query import TreeLook
from webapp.replays.trees.requests import tree_view
from webapp.replays.visits import nothing_new, say_errors_on, visit_to
from webapp.services import services
from webapp.web.cookies import current_actor
from webapp.web.htmx import partial_is_wanted, render

trees = Blueprint("trees", __name__, url_prefix="/matches/<match_id>")


@trees.get("/tree")
def tree(match_id: str) -> Response:
    """The search as far as the address says, with the path open that it names."""
    return show_tree(services().store.find(match_id))


def show_tree(record: Record) -> Response:
    """The tree of a record, wherever it is kept, as the address wants it."""
    look = TreeLook.of(request.args)
    ply = check_ply(record, look.ply)
    say_errors_on(lambda: record, Look(ply=ply))
    check_advised(record, current_actor())
    services().spend()
    view = tree_view(record, ply, look, visit_to(Look(ply=ply)))
    if view.pending and partial_is_wanted() and "known" in request.args:
        return nothing_new()
    return render("replays/trees/page.html", "replays/trees/_tree.html", tree=view)
