"""The guard: writes down all that a visitor can see, so that two versions can be compared.

python -m benchmarks.guard OUTDIR [SECTION …]
python -m benchmarks.guard --compare DIR_A DIR_B
"""
