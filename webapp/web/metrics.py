"""`/metrics` in the Prometheus text format: requests by route and status, and what is under way.

Of the extra [production]. Several web processes share counters and gauges by files in the directory
`PROMETHEUS_MULTIPROC_DIR` (`webapp.serving.gunicorn_config` sets it), so that any of them answers
for all.
"""

from __future__ import annotations

import hmac
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

from flask import Blueprint, Flask, Response, make_response, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from webapp.config import is_loopback
from webapp.errors import RequestError
from webapp.web.access_log import route_of_request, seconds_taken
from webapp.web.health import Background
from webapp.web.security import normalised_host

log = logging.getLogger(__name__)

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
MIME = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS_S = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0)
SAMPLE_INTERVAL_S = 5.0  # between two samples of a process that others answer for


class PrivateMetricsError(RequestError):
    """Metrics asked for from elsewhere, without the token."""

    status = 403


@dataclass(frozen=True, slots=True)
class Sample:
    """One figure, of a kind that this process has or that all processes share."""

    name: str
    help: str
    value: float
    label: tuple[str, str] | None = None  # its name and its value


Samples = Callable[[], Iterable[Sample]]


class Metrics:
    """The counters of an app, and what is sampled when somebody asks."""

    def __init__(self, of_process: Samples, of_all: Samples) -> None:
        self._of_process = of_process
        self._of_all: Background[tuple[Sample, ...]] = Background(_logged(of_all), ())
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "zermelo_requests",
            "Requests by route, method and status.",
            ("route", "method", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "zermelo_request_seconds",
            "Seconds until the response was made, by route.",
            ("route",),
            buckets=BUCKETS_S,
            registry=self._registry,
        )
        self._gauges: dict[str, Gauge] = {}
        self._ended = Event()
        if DIRECTORY in os.environ:
            Thread(target=self._keep_sampling, name="metrics", daemon=True).start()

    def close(self) -> None:
        self._ended.set()

    def count(self, response: Response) -> Response:
        """Count the current request."""
        route = route_of_request() or "none"
        method = request.method if route != "none" else "any"
        self._requests.labels(route, method, str(response.status_code)).inc()
        self._seconds.labels(route).observe(seconds_taken())
        return response

    def text(self) -> bytes:
        """All figures, those of other processes included."""
        self._sample()
        registry = CollectorRegistry()
        if DIRECTORY in os.environ:
            gather: Any = MultiProcessCollector
            gather(registry)
        else:
            registry = self._registry
        shared = CollectorRegistry()
        gathered: Any = _Shared(self._of_all.now())
        shared.register(gathered)
        return generate_latest(registry) + generate_latest(shared)

    def _keep_sampling(self) -> None:
        while not self._ended.wait(SAMPLE_INTERVAL_S):
            self._sample()

    def _sample(self) -> None:
        """Set the gauges of this process; those of all processes are added up."""
        for sample in self._of_process():
            if sample.name not in self._gauges:
                labels = () if sample.label is None else (sample.label[0],)
                self._gauges[sample.name] = Gauge(
                    sample.name,
                    sample.help,
                    labels,
                    registry=self._registry,
                    multiprocess_mode="livesum",
                )
            gauge = self._gauges[sample.name]
            (gauge if sample.label is None else gauge.labels(sample.label[1])).set(sample.value)


def _logged(samples: Samples) -> Callable[[], tuple[Sample, ...]]:
    """The function with its failures logged: they leave figures out."""

    def sample() -> tuple[Sample, ...]:
        try:
            return tuple(samples())
        except Exception:
            log.exception("some metrics could not be sampled")
            raise

    return sample


class _Shared:
    """Figures that every process would give alike."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = samples

    def collect(self) -> Iterator[GaugeMetricFamily]:
        families: dict[str, GaugeMetricFamily] = {}
        for sample in self._samples:
            labels = () if sample.label is None else (sample.label[0],)
            family = families.setdefault(
                sample.name, GaugeMetricFamily(sample.name, sample.help, labels=labels)
            )
            family.add_metric(() if sample.label is None else (sample.label[1],), sample.value)
        yield from families.values()


def register(app: Flask, metrics: Callable[[], Metrics], token: str | None) -> None:
    """Count every request of an app, and answer `/metrics` to whoever may read it."""
    routes = Blueprint("metrics", __name__)

    @routes.get("/metrics")
    def show() -> Response:
        """All figures, for this machine or with the token."""
        _check_reader(token)
        response = make_response(metrics().text())
        response.headers["Content-Type"] = MIME
        return response

    app.after_request(lambda response: metrics().count(response))
    app.register_blueprint(routes)


def _check_reader(token: str | None) -> None:
    """Raises PrivateMetricsError; a visitor of a proxy on this machine names another host."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if token is not None and scheme.lower() == "bearer":
        if hmac.compare_digest(given.strip().encode(), token.encode()):
            return
    elif is_loopback(request.remote_addr or "") and _is_local(request.host):
        return
    raise PrivateMetricsError("metrics are read on this machine, or with the token that was set")


def _is_local(host: str) -> bool:
    return is_loopback(normalised_host(host).strip("[]"))
