"""The figures of docs/results.md: `python -m benchmarks.results`."""
