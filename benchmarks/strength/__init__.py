"""The strengths that ship with the package: `python -m benchmarks.strength`."""
