"""Sums of rows of float32 matrices for kernels, up to 64 columns at once.

Written in LLVM's vector types: a loop over a row of unknown length reads and writes its sum for
every row that it adds, and here the sum stays in the processor's registers. Each column is added in
the order of the rows, without fused operations: the same bytes on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir  # numba's own
from numba import extending
from numba.core import types
from numpy.typing import NDArray

from agents.compute.kernels import inlined, inner

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]
Kernel = Callable[..., Any]

intrinsic = cast("Callable[[Kernel], Kernel]", extending.intrinsic)

BLOCK = 64  # levels that one mask tells of
FLOAT, LONG = ir.FloatType(), ir.IntType(64)
FLOAT_BYTES = 4


@inner
def add_rows(levels: Vector, matrix: Matrix, out: Vector) -> None:
    """Add the rows of a matrix to `out`, each times its level, in order, but for levels of 0."""
    columns = len(out)
    for start in range(0, len(levels), BLOCK):
        live, column = live_levels(levels, start), 0
        while column + 64 <= columns:
            add_64(live, start, levels, matrix, out, column)
            column += 64
        if column + 32 <= columns:
            add_32(live, start, levels, matrix, out, column)
            column += 32
        if column + 16 <= columns:
            add_16(live, start, levels, matrix, out, column)
            column += 16
        if column + 8 <= columns:
            add_8(live, start, levels, matrix, out, column)
            column += 8
        if column + 4 <= columns:
            add_4(live, start, levels, matrix, out, column)
            column += 4
        while column < columns:
            add_1(live, start, levels, matrix, out, column)
            column += 1


@inlined
def add_row(matrix: Matrix, row: int, out: Vector) -> None:
    """Add a row of a matrix to `out`."""
    columns, column = len(out), 0
    while column + 64 <= columns:
        plus_64(matrix, row, out, column)
        column += 64
    while column < columns:
        out[column] += matrix[row, column]
        column += 1


@inner
def add_product(levels: Vector, line: Vector, matrix: Matrix) -> None:
    """Add a line to the rows of a matrix, times the level of each, but for levels of 0."""
    columns = len(line)
    for start in range(0, len(levels), BLOCK):
        live, column = live_levels(levels, start), 0
        while column + 64 <= columns:
            spread_64(live, start, levels, matrix, line, column)
            column += 64
        if column + 32 <= columns:
            spread_32(live, start, levels, matrix, line, column)
            column += 32
        if column + 16 <= columns:
            spread_16(live, start, levels, matrix, line, column)
            column += 16
        if column + 8 <= columns:
            spread_8(live, start, levels, matrix, line, column)
            column += 8
        if column + 4 <= columns:
            spread_4(live, start, levels, matrix, line, column)
            column += 4
        while column < columns:
            spread_1(live, start, levels, matrix, line, column)
            column += 1


@inlined
def live_levels(levels: Vector, start: int) -> int:
    """Which of at most BLOCK levels from `start` on are not 0, a bit for each."""
    if start + BLOCK <= len(levels):
        return int(live_block(levels, start))
    live = np.int64(0)
    for at in range(start, len(levels)):
        live |= np.int64(levels[at] != np.float32(0.0)) << np.int64(at - start)
    return int(live)


class _Code:
    """Generates vector instructions of so many lanes."""

    def __init__(self, context: Any, builder: Any, lanes: int) -> None:
        self.context, self.builder = context, builder
        self.lanes, self.kind = lanes, ir.VectorType(FLOAT, lanes)

    def address(self, kind: Any, array: Any, *place: Any) -> Any:
        """Where an element of a contiguous array is."""
        found = self.context.make_array(kind)(self.context, self.builder, array)
        at = place[-1]
        if len(place) == 2:
            width = self.builder.extract_value(found.shape, 1)
            at = self.builder.add(self.builder.mul(place[0], width), at)
        return self.builder.gep(found.data, [at])

    def load(self, address: Any) -> Any:
        several = self.builder.bitcast(address, self.kind.as_pointer())
        return self.builder.load(several, align=FLOAT_BYTES)

    def store(self, lanes: Any, address: Any) -> None:
        several = self.builder.bitcast(address, self.kind.as_pointer())
        self.builder.store(lanes, several, align=FLOAT_BYTES)

    def splat(self, number: Any) -> Any:
        """A number in every lane."""
        none = ir.Constant(self.kind, ir.Undefined)
        one = self.builder.insert_element(none, number, ir.IntType(32)(0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(one, none, lanes)

    def loop(self, live: Any, total: Any, body: Callable[[Any, Any], Any]) -> Any:
        """`total = body(bit, total)` for every bit that is set, from the lowest on."""
        builder = self.builder
        before = builder.block
        head = builder.append_basic_block("head")
        each = builder.append_basic_block("each")
        end = builder.append_basic_block("end")
        builder.branch(head)
        builder.position_at_end(head)
        left, so_far = builder.phi(LONG), builder.phi(total.type)
        left.add_incoming(live, before)
        so_far.add_incoming(total, before)
        builder.cbranch(builder.icmp_unsigned("==", left, LONG(0)), end, each)
        builder.position_at_end(each)
        new = body(builder.cttz(left, ir.IntType(1)(1)), so_far)
        left.add_incoming(builder.and_(left, builder.sub(left, LONG(1))), builder.block)
        so_far.add_incoming(new, builder.block)
        builder.branch(head)
        builder.position_at_end(end)
        return so_far


def _summing(lanes: int) -> Kernel:
    """out[column:] += levels[row] * matrix[row, column:] for the live rows."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        live, start, levels, matrix, out, column = given
        _, _, levels_kind, matrix_kind, out_kind, _ = signature.args
        of = _Code(context, builder, lanes)
        sum_at = of.address(out_kind, out, column)

        def body(bit: Any, total: Any) -> Any:
            row = builder.add(start, bit)
            level = of.splat(builder.load(of.address(levels_kind, levels, row)))
            place = (row, column) if matrix_kind.ndim == 2 else (row,)
            numbers = of.load(of.address(matrix_kind, matrix, *place))
            return builder.fadd(total, builder.fmul(level, numbers))

        of.store(of.loop(live, of.load(sum_at), body), sum_at)
        return context.get_dummy_value()

    return _declared(code)


def _spreading(lanes: int) -> Kernel:
    """matrix[row, column:] += levels[row] * line[column:] for the live rows."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        live, start, levels, matrix, line, column = given
        _, _, levels_kind, matrix_kind, line_kind, _ = signature.args
        of = _Code(context, builder, lanes)
        numbers = of.load(of.address(line_kind, line, column))

        def body(bit: Any, total: Any) -> Any:
            row = builder.add(start, bit)
            level = of.splat(builder.load(of.address(levels_kind, levels, row)))
            place = of.address(matrix_kind, matrix, row, column)
            of.store(builder.fadd(of.load(place), builder.fmul(level, numbers)), place)
            return total

        of.loop(live, LONG(0), body)
        return context.get_dummy_value()

    return _declared(code)


def _declared(code: Kernel) -> Kernel:
    """(live, start, levels, matrix, line, column) -> none as an intrinsic."""

    def typed(
        context: Any, live: Any, start: Any, levels: Any, matrix: Any, line: Any, column: Any
    ) -> Any:
        arrays = (levels, matrix, line)
        if not all(each.layout == "C" and each.dtype == types.float32 for each in arrays):
            raise TypeError("contiguous arrays of float32 are wanted")
        whole = types.int64
        return types.none(whole, whole, levels, matrix, line, whole), code

    return intrinsic(typed)


@intrinsic
def plus_64(context: Any, matrix: Any, row: Any, out: Any, column: Any) -> Any:
    """out[column:] += matrix[row, column:] for 64 columns."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        of = _Code(context, builder, 64)
        numbers = of.load(of.address(signature.args[0], given[0], given[1], given[3]))
        place = of.address(signature.args[2], given[2], given[3])
        of.store(builder.fadd(of.load(place), numbers), place)
        return context.get_dummy_value()

    return types.none(matrix, types.int64, out, types.int64), code


@intrinsic
def live_block(context: Any, levels: Any, start: Any) -> Any:
    """Which of the BLOCK levels from `start` on are not 0, a bit for each."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        of = _Code(context, builder, BLOCK)
        found = of.load(of.address(signature.args[0], given[0], given[1]))
        zeros = ir.Constant(of.kind, [FLOAT(0.0)] * BLOCK)
        return builder.bitcast(builder.fcmp_unordered("!=", found, zeros), LONG)

    return types.int64(levels, types.int64), code


add_64, add_32, add_16, add_8, add_4, add_1 = map(_summing, (64, 32, 16, 8, 4, 1))
spread_64, spread_32, spread_16, spread_8, spread_4, spread_1 = map(
    _spreading, (64, 32, 16, 8, 4, 1)
)
