"""The guard: writes down all that a visitor can see, so that two versions can be compared.

    python -m benchmarks.guard OUTDIR [SECTION …]
    python -m benchmarks.guard --compare DIR_A DIR_B

It goes through every room as owner, friend, student, teacher and stranger, as a browser and as htmx
asks, and calls every command; each response is a text file: request, status, where it leads, and
what is seen, heard and can be sent (see `page`). Clock, chance and ids are fixed (see `fixed`), and
jobs and thoughts are worked off within the process, so that two runs are the same to the letter.
Only `adapter` knows our modules: whoever renames some changes it there, and nothing else.

All of it takes 210 processor seconds with kernels compiled (`python -m tests.compile_kernels`):
about two minutes on two idle cores, 13 minutes at a load of 13. It is not in `make soak`, which
only compares two runs of a few sections (`tests/test_guard.py`).

Not visited: what needs a real server (its door, logs, `serve` and `jobs` at work), clusters,
games and agents of other packages, PostgreSQL, endgame tables of 5×5 Quixo, thoughts that a clock
ends half-way (one does so at once, or never), agents that fail, pages after a failure of our own
(500), and the long forms of `zermelo results`, `strength` and `train --shipped`.
"""
