"""Genomes as words of 64 places, the first place highest, the spare bits of the last word zero.

In this order a genome's hex digits are those of its words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, word
from agents.optimisers.entry import Genomes
from agents.quixo.bitboard import ones

WORD = 64  # bits
Genome = NDArray[np.int64]  # [word]


def words_for(bits: int) -> int:
    """The number of words that hold so many places."""
    return -(-bits // WORD)


def from_int(genome: int, bits: int) -> Genome:
    """The words of a genome given as an integer, its first place highest."""
    spare = WORD * words_for(bits) - bits
    data = (genome << spare).to_bytes(8 * words_for(bits), "big")
    return np.frombuffer(data, ">i8").astype(np.int64)


def to_int(genome: Genome, bits: int) -> int:
    """The integer that `from_int` takes."""
    spare = WORD * len(genome) - bits
    return int.from_bytes(genome.astype(">i8").tobytes(), "big") >> spare


def packed(places: NDArray[np.bool_]) -> Genomes:
    """Words of places, [genome, place]."""
    many, bits = places.shape
    spare = WORD * words_for(bits) - bits
    whole = np.pad(places, ((0, 0), (0, spare)))
    return np.packbits(whole, axis=1).view(">i8").astype(np.int64).reshape(many, words_for(bits))


def unpacked(genomes: Genomes, bits: int) -> NDArray[np.bool_]:
    """Places of words, [genome, place]."""
    data = genomes.astype(">i8").view(np.uint8).reshape(len(genomes), 8 * genomes.shape[1])
    return np.unpackbits(data, axis=1, count=bits).astype(np.bool_)


def none_of(bits: int) -> Genomes:
    """No genomes: proposed by a search that has ended."""
    return np.zeros((0, words_for(bits)), np.int64)


@kernel
def spare_mask(bits: int) -> int:
    """The mask of the bits of the last word that belong to the genome."""
    over = bits & 63
    return int(~((np.int64(1) << (64 - over)) - 1)) if over else -1


@kernel
def random_genomes(many: int, bits: int, rng: Stream) -> Genomes:
    """Genomes whose bits are 0 or 1 with the same probability."""
    genomes = np.zeros((many, (bits + 63) >> 6), np.int64)
    for at in range(many):
        for place in range(genomes.shape[1]):
            genomes[at, place] = word(rng)
        genomes[at, -1] &= spare_mask(bits)
    return genomes


@kernel
def has_spare(genomes: Genomes, bits: int) -> bool:
    """Whether a spare bit of one of them is set."""
    for genome in genomes:  # noqa: SIM110 - numba compiles no generator
        if genome[-1] & ~spare_mask(bits):
            return True
    return False


@kernel
def flip(genome: Genome, place: int) -> None:
    genome[place >> 6] ^= np.int64(1) << (63 - (place & 63))


@kernel
def has(genome: Genome, place: int) -> bool:
    return bool(genome[place >> 6] >> (63 - (place & 63)) & 1)


@kernel
def distance(one: Genome, other: Genome) -> int:
    """The number of places in which two genomes differ."""
    total = 0
    for at in range(len(one)):
        total += ones(one[at] ^ other[at])
    return total


@kernel
def diversity(genomes: Genomes, bits: int) -> float:
    """The share of places in which two of them differ, on average over all pairs."""
    many, total = len(genomes), 0
    for one in range(many):
        for other in range(one):
            total += distance(genomes[one], genomes[other])
    return total / (bits * many * (many - 1) / 2)
