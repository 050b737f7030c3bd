"""How fast the statistics are beside scipy's, in what memory, and how often the gate is right.

Run ``python benchmarks/measure_statistics.py`` from the top of the repository.

Every time comes from a process of its own, on the same data, and is the best of a few repetitions; the memory
is what the work adds to its process. Goal: 10,000 resamples of 1,000 questions in under 2 seconds. The second
table counts verdicts on sets of hits and misses drawn at random, for a drop of five points and for none.
Memory is read with the module ``resource``, so the script runs on Linux and macOS.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

QUESTIONS = 1000
RESAMPLES = 10_000
REPETITIONS = 3


def make_values() -> np.ndarray:
    """Recall of questions with one to six relevant documents."""
    rng = np.random.default_rng(1)
    relevant = rng.integers(1, 7, size=QUESTIONS)
    return rng.binomial(relevant, 0.6) / relevant


def our_mean() -> list[float]:
    from recall_lab.statistics import bootstrap_mean

    interval = bootstrap_mean(make_values(), resamples=RESAMPLES)
    return [interval.low, interval.high]


def scipy_mean() -> list[float]:
    from scipy import stats

    found = stats.bootstrap((make_values(),), np.mean, n_resamples=RESAMPLES, method="percentile", rng=0)
    return list(found.confidence_interval)


def our_test() -> list[float]:
    from recall_lab.statistics import compare_values

    return [compare_values(make_values() - 0.59, resamples=RESAMPLES).p_value]


def scipy_test() -> list[float]:
    from scipy import stats

    found = stats.permutation_test(
        (make_values() - 0.59,), np.mean, permutation_type="samples", n_resamples=RESAMPLES, rng=0
    )
    return [found.pvalue]


def our_curve() -> list[float]:
    from recall_lab import evaluate
    from recall_lab.statistics import bootstrap_curve

    golden = {f"q{i}": ["a", "b"] for i in range(QUESTIONS)}
    places = np.random.default_rng(1).permuted(np.tile(np.arange(100), (QUESTIONS, 1)), axis=1)
    names = np.array([*"ab", *(f"x{i}" for i in range(98))])
    band = bootstrap_curve(evaluate(golden, dict(zip(golden, names[places].tolist(), strict=True))), 100)
    return [float(band.low[-1]), float(band.high[-1])]


WORKS: dict[str, Callable[[], list[float]]] = {
    "interval of a mean, ours": our_mean,
    "interval of a mean, scipy": scipy_mean,
    "interval and random sign flips, ours": our_test,
    "random sign flips, scipy": scipy_test,
    "band of a curve to k = 100, ours": our_curve,
}


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def in_this_process(name: str) -> dict[str, Any]:
    """What a child process does: imports first, then the work."""
    import scipy.stats  # noqa: F401

    import recall_lab.statistics  # noqa: F401

    before = peak_megabytes()
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        result = WORKS[name]()
        times.append(time.perf_counter() - start)
    return {"seconds": min(times), "megabytes": peak_megabytes() - before, "result": result}


def measure_speed() -> None:
    print(f"{RESAMPLES:,} resamples of {QUESTIONS:,} questions (of the curve: 1,000)")
    print(f"{'':40}{'seconds':>9}{'peak MB added':>15}{'ratio':>8}  result")
    ours = 0.0
    for name in WORKS:
        done = subprocess.run([sys.executable, __file__, "--child", name], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{name} failed:\n{done.stderr}")
        found = json.loads(done.stdout)
        ratio = f"{found['seconds'] / ours:.1f}x" if "scipy" in name else ""
        ours = found["seconds"]
        result = " to ".join(f"{value:.4f}" for value in found["result"])
        print(f"{name:40}{found['seconds']:9.3f}{found['megabytes']:15.0f}{ratio:>8}  {result}", flush=True)


def measure_gate(sets: int) -> None:
    """Both rules beside each other, on the same sets of questions."""
    from recall_lab.statistics import gate_values

    print(f"\nverdicts in %, of {sets:,} sets of n questions of which some are lost and gained by chance")
    print(
        "naive: fell by more than 2 points · bootstrap: the 95th percentile of the mean difference is below 0"
    )
    print("our gate: also asks for five changed questions, a drop of perhaps 5 points, and what n can show")
    print(
        f"{'lost, gained':20}{'n':>5}{'naive':>8}{'bootstrap':>11}{'drop':>8}{'pass':>7}{'cannot tell':>13}"
    )
    for lost_share, gained_share in ((0.065, 0.015), (0.02, 0.02)):
        for n in (50, 100, 104, 200, 400):
            rates = [lost_share, gained_share, 1 - lost_share - gained_share]
            drawn = np.random.default_rng(n).multinomial(n, rates, size=sets)
            often: Counter[str] = Counter()
            for counts, times in Counter(map(tuple, drawn.tolist())).items():
                verdict = gate_values(np.repeat([-1.0, 1.0, 0.0], counts), 0.05)
                often[verdict.decision] += times
                often["bootstrap"] += times * (verdict.difference.high < -1e-9)
                often["naive"] += times * (100 * (counts[0] - counts[1]) > 2 * n)
            shares = [
                100 * often[rule] / sets for rule in ("naive", "bootstrap", "drop", "pass", "cannot tell")
            ]
            cells = "".join(
                f"{share:{width}.1f}" for share, width in zip(shares, (8, 11, 8, 7, 13), strict=True)
            )
            print(f"{f'{lost_share:.1%}, {gained_share:.1%}':20}{n:5}{cells}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parts", default="speed,gate", help="which parts to run")
    parser.add_argument("--sets", type=int, default=5000, help="sets of questions drawn for the gate")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(in_this_process(arguments.child)))
        return
    if "speed" in arguments.parts:
        measure_speed()
    if "gate" in arguments.parts:
        measure_gate(arguments.sets)


if __name__ == "__main__":
    main()
