"""The tree page of a match: a textbook search that can be stepped through."""

from __future__ import annotations

from flask import Blueprint, Response, request

from webapp.replays.models import Record
from webapp.replays.permissions import check_advice, check_ply
from webapp.replays.query import Look
from webapp.replays.trees.query import TreeQuery
from webapp.replays.trees.requests import tree_view
from webapp.replays.visits import no_content, say_errors_on, visit_for
from webapp.services import services
from webapp.web.cookies import current_actor
from webapp.web.htmx import partial_is_wanted, render

trees = Blueprint("trees", __name__, url_prefix="/matches/<match_id>")


@trees.get("/tree")
def tree(match_id: str) -> Response:
    """The search tree of a ply of a match."""
    return show_tree(services().store.find(match_id))


def show_tree(record: Record) -> Response:
    """The tree page of any record."""
    query = TreeQuery.parse(request.args)
    ply = check_ply(record, query.ply)
    say_errors_on(lambda: record, Look(ply=ply))
    check_advice(record, current_actor())
    services().spend()
    view = tree_view(record, ply, query, visit_for(Look(ply=ply)))
    if view.pending and partial_is_wanted() and "known" in request.args:
        return no_content()
    return render("play/tree.html", "play/_tree.html", tree=view)
