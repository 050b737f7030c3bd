"""How long simulations and pools take.

Run ``python benchmarks/measure_simulation.py``.

Wall and processor seconds. Goals: the story of the pool on 20 seeds in under 10 s of wall time; a table of
alarms in the time of a cell; a grid for a slider over pool depth and contributors in under 1 s.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from recall_lab.simulation import (
    PoolingStory,
    alarm_table,
    expected_recall,
    pooling_story,
    simulate,
    simulate_churn,
)

SEEDS = range(20)


def measure(title: str, work: Callable[[], object]) -> object:
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    print(f"{time.perf_counter() - wall:8.2f}{time.process_time() - processor:14.2f}  {title}", flush=True)
    return result


def stories() -> list[PoolingStory]:
    return [pooling_story(simulate(seed)) for seed in SEEDS]


def grid() -> None:
    """What a view over pool depth and contributors tabulates: 100 depths, every choice of four systems."""
    from recall_lab.pooling import sweep_depths

    simulation = simulate(0)
    for count in range(1, 5):
        for pooled in combinations(simulation.runs, count):
            sweep_depths(simulation.runs, simulation.judgments, 50, 100, pooled=pooled)


def holds(story: PoolingStory) -> bool:
    """NEW is first on the truth, last on the old pool, and first on the new one."""
    old, new = story.old.table(), story.new.table()
    return bool(
        old["truth_rank"]["NEW"] == 1
        and old["pooled_rank"]["NEW"] == len(old)
        and new["pooled_rank"]["NEW"] == 1
    )


def main() -> None:
    expected_recall(2.5, 10, 100)  # imports scipy
    alarm_table((10,))
    print(f"{'wall s':>8}{'processor s':>14}")
    measure(f"{len(SEEDS)} collections", lambda: [simulate(seed) for seed in SEEDS])
    told = measure(f"{len(SEEDS)} collections and their stories", stories)
    measure("pools of 100 depths × 15 choices of contributors, one collection", grid)
    measure("table of alarms, n = 50, 100, 200, 400, three gates", alarm_table)
    measure(
        "1,000,000 repetitions of churn, n = 200", lambda: simulate_churn(200, 0.02, 0.02, repetitions=10**6)
    )
    sizes = np.geomspace(1001, 8_800_000, 500).astype(int)
    measure("expected recall at 500 corpus sizes", lambda: expected_recall(3.5, 1000, sizes))

    assert isinstance(told, list)
    print(f"\nthe story holds on {sum(map(holds, told))} of {len(SEEDS)} seeds")
    print(f"\n{told[0]}\n\n{told[0].left_out.round(3).to_string()}\n\n{alarm_table().round(3).to_string()}")


if __name__ == "__main__":
    main()
