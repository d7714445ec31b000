"""The room of whoever is new: how each game is played, the keys, the words."""
