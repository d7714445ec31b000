"""Leagues: bots play each other and machines of known strength for weeks."""
