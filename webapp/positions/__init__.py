"""The position editor: set up or paste any position, analyse it, play on from it."""
