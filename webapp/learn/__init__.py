"""Lessons under `/learn`: texts with predictions, computed figures and widgets."""
