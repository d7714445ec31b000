"""Bots: programs that play over HTTP from their authors' computers, and the pages about them."""
