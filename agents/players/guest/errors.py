"""Why a player cannot play."""


class UnplayableError(Exception):
    """A file without a player, or a player that does not play this game; its text says why."""
