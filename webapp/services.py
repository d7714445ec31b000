"""What the pages share: the store, the thinking processes, allowances and the configuration."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app, request

from webapp.config import Config
from webapp.players import current_player
from webapp.rates import Allowance
from webapp.store import Store
from webapp.thinking import Thinking

NAME = "zermelo"


@dataclass(frozen=True, slots=True)
class Services:
    """One of each per app."""

    config: Config
    store: Store
    thinking: Thinking
    by_player: Allowance
    by_address: Allowance

    def spend(self) -> None:
        """Count this request; raises TooManyRequestsError."""
        address = request.remote_addr or ""
        self.by_address.take(address)
        if (player := current_player()) is not None:
            self.by_player.take(player)


def services() -> Services:
    """Those of the app that answers this request."""
    found: Services = current_app.extensions[NAME]
    return found
