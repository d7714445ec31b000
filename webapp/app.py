"""The application factory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from flask import Flask
from jinja2 import ChoiceLoader, StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.boards.homes import PackageTemplates, game_keys, games, urls_for
from webapp.classroom.pages.afterwards import afterwards
from webapp.classroom.pages.front import classroom
from webapp.classroom.pages.matches import class_matches
from webapp.classroom.pages.phones import joining, phones
from webapp.classroom.pages.screen import screen
from webapp.classroom.pages.teaching import teaching
from webapp.classroom.removal import keep_ending
from webapp.classroom.store import ClassStore
from webapp.config import Config
from webapp.guide.pages import guide
from webapp.jobs.brains import BrainStore
from webapp.jobs.game_store import GameStore
from webapp.jobs.store import JobStore
from webapp.lab.arena.pages import arena
from webapp.lab.pages.brains import brains
from webapp.lab.pages.front import lab
from webapp.lab.pages.jobs import jobs
from webapp.lab.pages.train import train
from webapp.learn.pages import learn
from webapp.lobby.pages import lobby
from webapp.machines.pages import machines
from webapp.optimise.pages import optimise
from webapp.play.pages.asides import asides
from webapp.play.pages.company import company, invitations
from webapp.play.pages.exchange import exchange
from webapp.play.pages.games import games_page
from webapp.play.pages.matches import matches
from webapp.play.pages.positions import positions
from webapp.play.pages.trees import trees
from webapp.play.removal import keep_removing
from webapp.play.store import Store
from webapp.services import NAME, Services
from webapp.serving.network import names_while_listening
from webapp.storage.db import Database
from webapp.thinking.desk import ProcessDesk
from webapp.thinking.endgames import begin_endgames
from webapp.thinking.pool import Bounds, Thinking
from webapp.thinking.warming import compile_templates, warm_up
from webapp.web import (
    assets,
    bodies,
    csrf,
    errors,
    glossary,
    headers,
    hosts,
    inputs,
    keys,
    masthead,
    players,
)
from webapp.web.attendance import Attendance
from webapp.web.fragments import drawn
from webapp.web.health import health
from webapp.web.rates import Allowance
from webapp.web.readiness import Readiness


def make_app(
    config: Config | None = None, make_thinking: Callable[[Bounds], Thinking] | None = None
) -> Flask:
    """The app with this configuration, or that of the environment."""
    config = config or Config.from_environment()
    make_thinking = make_thinking or partial(Thinking, partial(ProcessDesk, config.desk_memory))
    app = Flask(
        "webapp",
        template_folder=str(assets.folder("templates")),
        static_folder=str(assets.folder("static")),
        static_url_path="/static",
    )
    app.secret_key = config.secret_key
    app.session_interface = players.NoSessions()
    app.config["MAX_FORM_PARTS"] = 200
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    # Flask's documented way to find templates elsewhere too; ours come first.
    ours = app.jinja_loader
    app.jinja_loader = ChoiceLoader([*([ours] if ours else []), PackageTemplates()])
    app.jinja_env.globals.update(version=_version(), drawn=drawn, files_of=urls_for)
    app.jinja_env.globals.update(game_keys=game_keys)
    app.jinja_env.globals.update(explain=glossary.explain, key_bindings=keys.bindings())
    app.jinja_env.filters["explained"] = glossary.explained
    app.jinja_env.filters["explained_once"] = glossary.explained_once
    if config.behind_proxy:
        # Flask's documented way to put a middleware in place.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_host=1)  # type: ignore[method-assign]
    app.extensions[NAME] = make_services(config, make_thinking)
    hosts.register(app, config.trusted_hosts, partial(names_while_listening, config.listens))
    bodies.register(app, config.body_bound)
    for part in (headers, csrf, inputs, players, errors, assets, masthead):
        part.register(app)
    for blueprint in (
        *(lobby, guide, matches, asides, trees, exchange, positions, company, invitations),
        games_page,
        *(machines, lab, jobs, train, brains, arena, optimise, learn, games, health),
        *(classroom, teaching, class_matches, screen, joining, phones, afterwards),
    ):
        app.register_blueprint(blueprint)
    if config.warm_up:
        compile_templates(app)
    return app


def make_services(config: Config, make_thinking: Callable[[Bounds], Thinking]) -> Services:
    """The store, upgraded, and the desks at which agents think, started by the first thought."""
    database = Database(config.database_url)
    database.upgrade()
    thinking = make_thinking(
        Bounds(
            desks=config.workers,
            queue=config.queue,
            each=config.thoughts_each,
            grace=config.grace_seconds,
            first_grace=config.first_grace_seconds,
        )
    )
    if config.warm_up:
        blanks = config.endgames
        endgames = None if blanks is None else partial(begin_endgames, blanks)
        warm_up(thinking, config.think_seconds, endgames)
    store, classes = Store(database), ClassStore(database)
    removal = keep_removing(store, config.keep_unfinished_days)
    keep_ending(classes, removal)
    return Services(
        config=config,
        store=store,
        jobs=JobStore(database),
        brains=BrainStore(database),
        games=GameStore(database),
        thinking=thinking,
        readiness=Readiness(store.answers, lambda: thinking.is_alive),
        removal=removal,
        by_player=Allowance(config.player_rate, config.player_burst),
        by_address=Allowance(config.address_rate, config.address_burst),
        matches_by_player=Allowance(config.match_rate, config.match_burst),
        matches_by_address=Allowance(config.address_match_rate, config.address_match_burst),
        newcomers=Allowance(config.newcomer_rate, config.newcomer_burst),
        guesses=Allowance(config.guess_rate, config.guess_burst),
        guesses_by_address=Allowance(config.address_guess_rate, config.address_guess_burst),
        attendance=Attendance(store.saw),
        classes=classes,
        students=Attendance(classes.saw),
    )


def close(app: Flask) -> None:
    """End the workers and let go of the database."""
    found: Services = app.extensions[NAME]
    found.removal.set()
    found.attendance.close()
    found.students.close()
    found.thinking.close()
    found.store.database.close()


def _version() -> str:
    try:
        return version("zermelo")
    except PackageNotFoundError:  # run from a checkout that was not installed
        return "dev"
