"""The machines: every way to play, how strong each is, and how each of them thinks."""
