"""The arena: tournaments between machines, with ratings and their uncertainty."""
