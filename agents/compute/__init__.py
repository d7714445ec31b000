"""Numba set-up, random numbers for kernels, worker processes and paths."""
