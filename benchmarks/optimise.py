"""Boxes and covers, side by side with what a student would write.

Run with `python -m benchmarks.optimise`. The box is asked by a fitness on lists of bits, and by our
kernel in batches; A* runs with each estimate, beside breadth first. Ratios are within one run, of
processor time, so that a busy machine changes them little.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

from agents.compute.rng import new_stream, seed_stream
from agents.optimisers.black_box.batches import answering
from agents.optimisers.black_box.genomes import random_genomes, unpacked
from agents.optimisers.runs import optimise
from engine.problems import load_problem

ROUNDS = 5
COVERS = ("astar:estimate=largest", "astar:estimate=gain", "astar", "astar:branch=rarest", "exact")


def plain_fitness(genome: list[int], groups: int) -> float:
    """As the definition has it, on a list."""
    counts = sorted(sum(bool(bit) for bit in genome[at::groups]) for at in range(groups))[::-1]
    value = float(sum(count for count in counts if count == counts[0]))
    for rank, count in enumerate(count for count in counts if count < counts[0]):
        value -= count * 0.1 ** (rank + 1)
    return value / len(genome)


def rate(ask: Callable[[], object], calls: int) -> float:
    """Calls per second of processor time, the best of a few rounds after one to warm up."""
    ask()
    best = float("inf")
    for _ in range(ROUNDS):
        begun = process_time()
        ask()
        best = min(best, process_time() - begun)
    return calls / max(best, 1e-9)


def batches(box: object, size: int, many: int) -> Callable[[], object]:
    rng = new_stream()
    seed_stream(rng, 1, 0)
    genomes = random_genomes(size, 1000, rng)
    ask = answering(box)  # type: ignore[arg-type]
    return lambda: [ask(genomes) for _ in range(many)]


def boxes() -> None:
    print("asking the box, calls per second")
    for groups in (1, 2, 5, 10):
        box = load_problem(f"black-box:groups={groups},sealed=yes")
        rng = new_stream()
        seed_stream(rng, 1, 0)
        lists = unpacked(random_genomes(200, 1000, rng), 1000).astype(int).tolist()
        plain = rate(lambda lists=lists, n=groups: [plain_fitness(one, n) for one in lists], 200)
        print(f"  box {groups:>2}   a list of bits      {plain:>12,.0f}")
        for size in (1, 30, 300):
            ours = rate(batches(box, size, 6000 // size), 6000 // size * size)
            row = f"batches of {size:>3}      {ours:>12,.0f}   {ours / plain:,.0f} times it"
            print(f"           {row}")


def second_search() -> None:
    spent = []
    for seed in range(3):
        begun = process_time()
        (found,) = optimise("black-box:groups=10", "course-second", seed=seed)
        spent.append(process_time() - begun)
    print(f"\nthe course's second search on box 10, {found.run.calls:,} calls: {min(spent):.2f} s")


def covers() -> None:
    print("\ncovering 30 things with 150 sets, 30 seeds: median and most expanded, seconds in all")
    for search in COVERS:
        begun = process_time()
        runs = [found.run for found in optimise("set-cover", search, runs=30)]
        spent = process_time() - begun
        expanded = [run.expanded for run in runs]
        print(f"  {search:<24}{median(expanded):>10,.0f}{max(expanded):>10,}{spent:>10.2f} s")


def main() -> None:
    """Prints all three."""
    boxes()
    second_search()
    covers()


if __name__ == "__main__":
    main()
