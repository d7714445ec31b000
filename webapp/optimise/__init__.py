"""The workshop: problems without a foe, by hand and by every search."""
