"""Puzzles: positions with a task whose solution is proven, found by seed and graded."""
