"""Searches without a foe: one idea a file, for covers and for boxes."""
