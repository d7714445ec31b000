"""Kinds of jobs: training, arenas, searches."""
