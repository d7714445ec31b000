"""Widgets of lessons, by the names that texts use."""
