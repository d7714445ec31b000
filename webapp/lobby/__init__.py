"""The lobby: choose a game and an opponent, or go on with an unfinished match."""
