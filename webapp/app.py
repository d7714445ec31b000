"""The application factory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from time import time

from flask import Flask
from jinja2 import ChoiceLoader, StrictUndefined
from markupsafe import Markup
from werkzeug.middleware.proxy_fix import ProxyFix

from agents.compute.child_process import memory_of
from agents.training import brain_files
from engine.drawing import PIECES
from webapp.api import routes as api_routes
from webapp.api.store import TokenStore
from webapp.assignments.league import LeagueRating
from webapp.assignments.store import AssignmentStore
from webapp.assignments.work_store import WorkStore
from webapp.boards.plugins import PackageTemplates, game_keys, games, urls_for
from webapp.bots.arena_games import ArenaGames
from webapp.bots.game_store import BotGameStore
from webapp.bots.leagues.models import Teachers
from webapp.bots.leagues.rounds import LeagueRounds
from webapp.bots.leagues.store import LeagueStore
from webapp.bots.models import BotAttendance, CodeLookup
from webapp.bots.referee import Referee
from webapp.bots.store import BotStore
from webapp.classroom.cup import bot_admission
from webapp.classroom.models import DAY_S, ClassAttendance
from webapp.classroom.routes.front import own_class
from webapp.classroom.routes.phones import cup_codes
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.config import Config, PoolLimits
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.models import JobState
from webapp.jobs.store import JobStore
from webapp.lab.brains.uploads import Uploads
from webapp.matches.store import MatchStore
from webapp.puzzles.store import PuzzleStore
from webapp.puzzles.supply import PuzzleSupply
from webapp.replays.analysis_store import AnalysisStore
from webapp.replays.presence import MatchAttendance
from webapp.services import NAME, Clock, Services, service
from webapp.serving.network import own_host_names
from webapp.storage.database import Database
from webapp.storage.retention import Removal, Retention
from webapp.storage.usage import UsageStore
from webapp.web import (
    access_log,
    assets,
    cookies,
    errors,
    glossary,
    security,
    shortcuts,
)
from webapp.web.health import Readiness, health_routes
from webapp.web.htmx import drawn
from webapp.web.navigation import nav_links
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.player_worker import player_workers
from webapp.workers.pool import WorkerPool
from webapp.workers.warm_up import begin_endgames, compile_templates, warm_up
from webapp.workers.worker import ProcessWorker

# Packages with pages: `webapp.<name>.routes` has their BLUEPRINTS.
FEATURES = (
    *("lobby", "guide", "matches", "positions", "puzzles", "machines"),
    *("lab", "optimise", "learn", "classroom", "assignments", "bots", "embed"),
)


def make_app(
    config: Config | None = None, make_pool: Callable[[PoolLimits], WorkerPool] | None = None
) -> Flask:
    """Make the app with this configuration, or that of the environment."""
    config = config or Config.from_environment()
    make_pool = make_pool or partial(
        WorkerPool,
        partial(ProcessWorker, config.worker_memory),
        outside=player_workers() if config.players is not None else (),
    )
    app = Flask(
        "webapp",
        template_folder=str(assets.folder("templates")),
        static_folder=str(assets.folder("static")),
        static_url_path="/static",
    )
    app.secret_key = config.secret_key
    app.session_interface = cookies.NoSessions()
    app.config["MAX_FORM_PARTS"] = 200
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    # Our templates come before those of other packages' games.
    ours = app.jinja_loader
    app.jinja_loader = ChoiceLoader([*([ours] if ours else []), PackageTemplates()])
    app.jinja_env.globals.update(version=_version(), drawn=drawn, nav_links=nav_links)
    app.jinja_env.globals.update(teaching=cookies.shows_teacher_tools, own_class=own_class)
    app.jinja_env.globals.update(game_keys=game_keys, files_of=urls_for, cup_codes=cup_codes)
    app.jinja_env.globals["pieces"] = Markup(PIECES)  # noqa: S704 - a constant of ours
    app.jinja_env.globals.update(explain=glossary.explain, key_bindings=shortcuts.bindings())
    app.jinja_env.filters["explained"] = glossary.explained
    app.jinja_env.filters["explained_once"] = glossary.explained_once
    if config.behind_proxy:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_host=1)  # type: ignore[method-assign]
    app.extensions[NAME] = make_services(config, make_pool)
    hosts = security.TrustedHosts(config.trusted_hosts, partial(own_host_names, config.listens))
    access_log.register(app, behind_proxy=config.behind_proxy)
    app.before_request(hosts.check)
    app.before_request(partial(security.bound_body, config.http.body_bound))
    app.before_request(partial(security.check_origin, config.api_origins))
    app.before_request(security.check_texts)
    app.before_request(_admit_newcomer)
    app.after_request(security.add_headers)
    app.after_request(cookies.remember_player)
    errors.register(app)
    assets.register(app)
    for feature in FEATURES:
        for blueprint in import_module(f"webapp.{feature}.routes").BLUEPRINTS:
            app.register_blueprint(blueprint)
    for blueprint in api_routes.BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_blueprint(games)
    app.register_blueprint(health_routes(lambda: app.extensions[NAME][Readiness]))
    if find_spec("prometheus_client"):  # an extra
        from webapp.web import metrics

        metrics.register(app, lambda: app.extensions[NAME][metrics.Metrics], config.metrics_token)
    if config.warm_up:
        compile_templates(app)
        app.extensions[NAME][PuzzleSupply].start()
    return app


def _admit_newcomer() -> None:
    service(RateLimits).admit_newcomer()


def make_services(config: Config, make_pool: Callable[[PoolLimits], WorkerPool]) -> Services:
    """Open and upgrade the database, and make everything that routes look up."""
    database = Database(config.database_url)
    database.upgrade()
    pool = make_pool(config.pool)
    if config.warm_up:
        blanks = config.endgames
        endgames = None if blanks is None else partial(begin_endgames, blanks)
        warm_up(pool, config.think_seconds, endgames)
    store, classes, bots = MatchStore(database), ClassStore(database), BotStore(database)
    bot_games = BotGameStore(bots, store)
    bot_games.stop_clocks()
    league_store, tokens = LeagueStore(database), TokenStore(database)
    jobs = JobStore(database, config.jobs)
    uploads = Uploads(lambda: brain_files.home() / "uploads", jobs.brains.sweep)
    retention = Retention(
        *_removals(config, store, classes, jobs, bots),
        Removal("brains that were not tried", uploads.remove_old),
        Removal("tokens", tokens.remove_unused, "nobody used them for a year"),
    )
    retention.start()
    services = Services()
    services[Config] = config
    services[Clock] = Clock()
    services[MatchStore] = store
    services[AnalysisStore] = AnalysisStore(database)
    services[ClassStore] = classes
    services[SeatStore] = SeatStore(classes)
    services[JobStore] = jobs
    services[BrainStore] = jobs.brains
    services[Uploads] = uploads
    services[WorkerPool] = pool
    services[WorkerClient] = WorkerClient(pool, jobs.brains.ensure, config.think_seconds)
    services[RateLimits] = RateLimits(config.rates, Path(config.shared) if config.shared else None)
    services[Readiness] = Readiness(
        database.is_writable, lambda: pool.is_alive, lambda: not jobs.leases.is_neglected()
    )
    services[ArenaGames] = ArenaGames(bot_games, jobs.leases)
    services[LeagueStore] = league_store
    services[LeagueRounds] = LeagueRounds(bot_games, league_store)
    _add_assignments(services, bots)
    services[Teachers] = Teachers(lambda player: bool(classes.taught_by(player, 1)))
    referee = Referee(
        bot_games.forfeit_overdue, services[ArenaGames].go_on, services[LeagueRounds].go_on
    )
    referee.start()
    services[Referee] = referee
    services[TokenStore] = tokens
    services[PuzzleStore] = PuzzleStore(database)
    services[PuzzleSupply] = PuzzleSupply(services[PuzzleStore], pool)
    services[CodeLookup] = CodeLookup((partial(bot_admission, classes), league_store.admission))
    services[BotStore] = bots
    services[BotGameStore] = bot_games
    services[BotAttendance] = BotAttendance(bots.saw)
    services[MatchAttendance] = MatchAttendance(store.saw)
    services[ClassAttendance] = ClassAttendance(services[SeatStore].saw)
    if find_spec("prometheus_client"):
        _add_metrics(services, database)
    services.on_close(
        retention.close,
        referee.close,
        services[PuzzleSupply].close,
        services[BotAttendance].close,
        services[MatchAttendance].close,
        services[ClassAttendance].close,
        pool.close,
        database.close,
    )
    return services


def _add_assignments(services: Services, bots: BotStore) -> None:
    assignments = services[AssignmentStore] = AssignmentStore(bots.database)
    services[WorkStore] = WorkStore(assignments)
    services[LeagueRating] = LeagueRating(services[LeagueStore], bots)


def _add_metrics(services: Services, database: Database) -> None:
    """What `/metrics` samples, of this process and of what all processes share."""
    from webapp.web.metrics import Metrics, Sample  # an extra

    usage, pool, readiness = UsageStore(database), services[WorkerPool], services[Readiness]

    def of_process() -> Iterator[Sample]:
        waiting, running = pool.load
        thoughts = "Thoughts of agents, by state."
        yield Sample("zermelo_thoughts", thoughts, waiting, ("state", "waiting"))
        yield Sample("zermelo_thoughts", thoughts, running, ("state", "running"))
        memory = "Bytes that processes hold, without mapped files."
        yield Sample("zermelo_memory_bytes", memory, memory_of(os.getpid()), ("part", "web"))
        yield Sample("zermelo_memory_bytes", memory, pool.memory, ("part", "thoughts"))

    def of_all() -> Iterator[Sample]:
        for part, well in zip(("database", "workers", "jobs"), readiness.now(), strict=True):
            yield Sample("zermelo_ready", "1 where all is well.", float(well), ("part", part))
        totals = usage.totals()
        for state in JobState:
            count = totals.jobs.get(state, 0)
            yield Sample("zermelo_jobs", "Jobs by state.", count, ("state", state))
        yield Sample("zermelo_bots", "Bots with a valid token.", totals.bots)
        yield Sample("zermelo_bots_here", "Bots that ask for turns.", totals.bots_here)
        yield Sample("zermelo_classes", "Classes that can be joined.", totals.classes)
        yield Sample("zermelo_brain_bytes", "Bytes of all brains.", totals.brain_bytes)
        yield Sample("zermelo_database_bytes", "Bytes of the database.", totals.database_bytes)

    services[Metrics] = Metrics(of_process, of_all)
    services.on_close(services[Metrics].close)


def _removals(
    config: Config, matches: MatchStore, classes: ClassStore, jobs: JobStore, bots: BotStore
) -> Iterator[Removal]:
    """What is not kept for ever; beyond a number finished jobs go as others begin, too."""

    def before(days: float) -> float:
        return time() - days * DAY_S

    # Before matches are removed, which hold the results until then.
    assignments = AssignmentStore(classes.database)
    yield Removal("results of assignments", WorkStore(assignments).settle)
    yield Removal("assignments long over", assignments.remove_ended)
    yield Removal("classes that have ended", classes.remove_ended)
    yield Removal("bots that have left", bots.remove_ended)
    yield Removal("leagues long over", LeagueStore(bots.database).remove_over)
    puzzles = PuzzleStore(bots.database)
    yield Removal("progress with puzzles", puzzles.remove_unused, "nobody came back")
    yield Removal("puzzles", puzzles.remove_untried, "nobody tried them for a year")
    yield Removal("brains", jobs.brains.remove_forgotten, "their owners did not come back")
    yield Removal("jobs", lambda most: jobs.remove_old(before(config.keep_jobs_days), most))
    for finished, days in ((False, config.keep_unfinished_days), (True, config.keep_finished_days)):
        if days is not None:

            def remove(most: int, finished: bool = finished, days: float = days) -> int:
                return matches.remove_old(before(days), most, finished=finished)

            what = "finished matches" if finished else "unfinished matches"
            yield Removal(what, remove, "nobody came back" if not finished else "they are old")


def close(app: Flask) -> None:
    """End the workers and close the database."""
    app.extensions[NAME].close()


def _version() -> str:
    try:
        return version("zermelo")
    except PackageNotFoundError:  # run from a checkout that was not installed
        return "dev"
