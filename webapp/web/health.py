"""Whether the server is up, and whether it can do its work: for whoever watches over it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response

from webapp.web.readiness import Readiness


def health_routes(readiness: Readiness) -> Blueprint:
    """`/healthz` and `/readyz` of one app."""
    health = Blueprint("health", __name__)

    @health.get("/healthz")
    def up() -> Response:
        """This process answers."""
        response = make_response("ok\n")
        response.mimetype = "text/plain"
        return response

    @health.get("/readyz")
    def ready() -> tuple[Response, int]:
        """The database answers and the workers are alive, or did so a moment ago."""
        database, workers = readiness.now()
        return jsonify(database=database, workers=workers), 200 if database and workers else 503

    return health
