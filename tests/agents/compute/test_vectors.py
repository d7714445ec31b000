"""Sums of rows in vector instructions are those of a plain loop, to the bit."""

import numpy as np
import pytest

from agents.compute.vectors import add_product, add_row, add_rows

# rows, columns: every width of a tile, several tiles, and more rows than a mask has bits
SHAPES = [(1, 1), (5, 3), (9, 64), (32, 25), (64, 9), (64, 44), (64, 64), (70, 124), (128, 130)]


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_rows_are_added_in_order_each_times_its_level(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows * columns)
    levels = rng.standard_normal(rows).astype(np.float32)
    levels[rng.random(rows) < 0.5] = 0
    matrix = rng.standard_normal((rows, columns)).astype(np.float32)
    line = rng.standard_normal(columns).astype(np.float32)

    total, products = line.copy(), matrix.copy()
    for row in range(rows):
        if levels[row] != 0:
            total = total + levels[row] * matrix[row]
            products[row] = products[row] + levels[row] * line
    summed, grown = line.copy(), matrix.copy()
    add_rows(levels, matrix, summed)
    add_product(levels, line, grown)
    assert summed.tobytes() == total.tobytes()
    assert grown.tobytes() == products.tobytes()

    plus = line.copy()
    add_row(matrix, rows - 1, plus)
    assert plus.tobytes() == (line + matrix[-1]).tobytes()
