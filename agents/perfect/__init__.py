"""Exact solutions."""
