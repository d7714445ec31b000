"""The tree of a position: the textbook search, one address for every moment of it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from webapp.play.look import Look
from webapp.play.pages.showing import nothing_new, visit_to
from webapp.play.referee import check_ply
from webapp.play.trees.asking import tree_view
from webapp.play.trees.look import TreeLook
from webapp.services import services
from webapp.web.htmx import partial_is_wanted, render

trees = Blueprint("trees", __name__, url_prefix="/matches/<match_id>")


@trees.get("/tree")
def tree(match_id: str) -> Response:
    """The search as far as the address says, with the path open that it names."""
    look = TreeLook.of(request.args)
    record = services().store.find(match_id)
    ply = check_ply(record, look.ply)
    services().spend()
    view = tree_view(record, ply, look, visit_to(Look(ply=ply)))
    if view.pending and partial_is_wanted() and "known" in request.args:
        return nothing_new()
    return render("play/tree.html", "play/_tree.html", tree=view)
