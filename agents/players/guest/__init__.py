"""What runs in a player's own process: standard library only, Python 3.8 and later.

The child imports it as `zermelo_guest` from its directory, so that no module of the player's can be
in the way: imports within it are relative, and nothing of ours is imported.
"""
