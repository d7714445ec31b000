"""Brains: list, page, upload, download."""
