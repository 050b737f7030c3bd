"""How fast Recall Lab measures beside pytrec_eval, ir_measures and ranx.

Run ``python benchmarks/measure_speed.py``.

Every figure comes from a process of its own, on the same data, and is the best of a few repetitions. Wall
time and processor time are both given; ratios are of wall times. Goals:

- from dicts, 10,000 queries × 1,000 results: mean recall at six cutoffs at least 8 times, the whole curve
  k = 1 … 1000 at least 18 times as fast as pytrec_eval;
- from a run file of 10 million lines, ``evaluate("qrels.txt", Run.read("my.run"))`` and recall at six
  cutoffs: at least 3 times as fast as pytrec_eval with its own parsers, at under half the memory. Blocks of
  the file are worked on in a few threads, so idle cores count. "No polars" is the same without the extra
  ``scale``, "in pieces" is ``evaluate_file``;
- ``import recall_lab`` adds less than 60 ms to pandas' own import;
- small inputs no slower than plain Python loops over ``recall_lab.measures``.

The other libraries are not needed to use Recall Lab: ``pip install pytrec_eval-terrier ir-measures ranx``.
Memory is read with the module ``resource``, so the script runs on Linux and macOS.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

CUTOFFS = (1, 5, 10, 20, 100, 1000)
JUDGED = 10  # documents a query, half of them in its results

Judgments = dict[str, dict[str, int]]
Results = dict[str, dict[str, float]]


# ----------------------------------------------------------------------------------------------- the data


def make_data(queries: int, depth: int) -> tuple[Judgments, Results]:
    """Random results over a corpus of 200,000 documents, in rank order, as systems write them."""
    import numpy as np

    rng = np.random.default_rng(1)
    corpus = [f"doc{i:07d}" for i in range(200_000)]
    judgments: Judgments = {}
    results: Results = {}
    for number in range(queries):
        drawn = list(dict.fromkeys(rng.integers(0, len(corpus), 2 * depth + 4 * JUDGED).tolist()))
        found = [corpus[i] for i in drawn[:depth]]
        judged = [*rng.choice(found, JUDGED // 2, replace=False).tolist(), *(corpus[i] for i in drawn[-5:])]
        scores = np.sort(rng.random(depth) * 30)[::-1].round(6)
        judgments[f"q{number}"] = dict.fromkeys(judged, 1)
        results[f"q{number}"] = dict(zip(found, scores.tolist(), strict=True))
    return judgments, results


def write_files(folder: Path, queries: int, depth: int) -> None:
    """The same kind of data as TREC files."""
    with open(folder / "qrels.txt", "w") as qrels, open(folder / "my.run", "w") as run:
        for block in range(0, queries, 500):
            judgments, results = make_data(min(500, queries - block), depth)
            for number, query in enumerate(results, start=block):
                qrels.writelines(f"q{number} 0 {doc} 1\n" for doc in judgments[query])
                run.writelines(
                    f"q{number} Q0 {doc} {rank} {score} bench\n"
                    for rank, (doc, score) in enumerate(results[query].items(), start=1)
                )


# ---------------------------------------------------------------------------------------------- the tools


def ours(judgments: Judgments, results: Results, ks: tuple[int, ...]) -> list[float]:
    from recall_lab import evaluate

    e = evaluate(judgments, results)
    return e.curve(len(ks)).tolist() if len(ks) > 100 else [e.recall(k) for k in ks]


def by_pytrec_eval(judgments: Judgments, results: Results, ks: tuple[int, ...]) -> list[float]:
    import pytrec_eval

    names = [f"recall_{k}" for k in ks]
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, {"recall." + ",".join(map(str, ks))})
    values = list(evaluator.evaluate(results).values())
    return [sum(value[name] for value in values) / len(values) for name in names]


def by_ir_measures(judgments: Judgments, results: Results, ks: tuple[int, ...]) -> list[float]:
    import ir_measures

    measures = [ir_measures.R @ k for k in ks]
    means = ir_measures.calc_aggregate(measures, judgments, results)
    return [means[measure] for measure in measures]


def by_ranx(judgments: Judgments, results: Results, ks: tuple[int, ...]) -> list[float]:
    import ranx

    names = [f"recall@{k}" for k in ks]
    means = ranx.evaluate(ranx.Qrels(judgments), ranx.Run(results), names, make_comparable=True)
    return [float(means[name]) for name in names]


def by_plain_loops(judgments: Judgments, results: Results, ks: tuple[int, ...]) -> list[float | None]:
    from recall_lab import mean_recall_at_k

    def ranking(found: dict[str, float]) -> list[str]:
        return sorted(found, key=lambda doc: (found[doc], doc), reverse=True)

    runs = [(ranking(found), set(judgments[query])) for query, found in results.items()]
    return [mean_recall_at_k(runs, k) for k in ks]


DICTS = {"recall_lab": ours, "pytrec_eval": by_pytrec_eval, "ir_measures": by_ir_measures, "ranx": by_ranx}


def file_ours(folder: Path) -> list[float]:
    from recall_lab import Run, evaluate

    e = evaluate(folder / "qrels.txt", Run.read(folder / "my.run"))
    return [e.recall(k) for k in CUTOFFS]


def file_in_pieces(folder: Path) -> list[float]:
    from recall_lab.evaluation import evaluate_file

    e = evaluate_file(folder / "qrels.txt", folder / "my.run")
    return [e.recall(k) for k in CUTOFFS]


def file_without_polars(folder: Path) -> list[float]:
    from recall_lab.formats import runs

    runs._polars_reader = lambda: None  # type: ignore[assignment]
    return file_ours(folder)


def file_pytrec_eval(folder: Path) -> list[float]:
    import pytrec_eval

    with open(folder / "qrels.txt") as qrels, open(folder / "my.run") as run:
        return by_pytrec_eval(pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run), CUTOFFS)


def file_ir_measures(folder: Path) -> list[float]:
    import ir_measures

    measures = [ir_measures.R @ k for k in CUTOFFS]
    qrels = ir_measures.read_trec_qrels(str(folder / "qrels.txt"))
    means = ir_measures.calc_aggregate(measures, qrels, ir_measures.read_trec_run(str(folder / "my.run")))
    return [means[measure] for measure in measures]


def file_ranx(folder: Path) -> list[float]:
    import ranx

    qrels = ranx.Qrels.from_file(str(folder / "qrels.txt"), kind="trec")
    run = ranx.Run.from_file(str(folder / "my.run"), kind="trec")
    names = [f"recall@{k}" for k in CUTOFFS]
    means = ranx.evaluate(qrels, run, names, make_comparable=True)
    return [float(means[name]) for name in names]


FILES = {
    "recall_lab": file_ours,
    "recall_lab, no polars": file_without_polars,
    "recall_lab, in pieces": file_in_pieces,
    "pytrec_eval": file_pytrec_eval,
    "ir_measures": file_ir_measures,
    "ranx": file_ranx,
}


# ------------------------------------------------------------------------------------------ the measuring


def best_of(work: Callable[[], Any], repetitions: int) -> dict[str, Any]:
    """The quickest of some repetitions, in wall and processor seconds, and the result."""
    walls, processors = [], []
    for _ in range(repetitions):
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return {"wall": min(walls), "processor": min(processors), "result": result}


def in_this_process(task: str, tool: str, queries: int, depth: int, folder: str) -> dict[str, Any]:
    """What a child process does."""
    if task == "file":
        figures = best_of(lambda: FILES[tool](Path(folder)), 1)
        # Where reading is what is measured, the data in memory are the tool's own.
    else:
        ks = CUTOFFS if task == "six cutoffs" else tuple(range(1, depth + 1))
        DICTS[tool](*make_data(3, 10), ks[:6])  # imports, and what is compiled on first use
        judgments, results = make_data(queries, depth)
        figures = best_of(lambda: DICTS[tool](judgments, results, ks), 5 if tool == "recall_lab" else 2)
        figures["result"] = [figures["result"][0], figures["result"][-1]]
    unit = 2**20 if sys.platform == "darwin" else 2**10
    figures["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return figures


def in_a_child(task: str, tool: str, queries: int, depth: int, folder: str = "") -> dict[str, Any]:
    command = [sys.executable, __file__, "--child", task, tool, str(queries), str(depth), folder]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{tool} failed at {task}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def installed(tool: str) -> bool:
    return importlib.util.find_spec(tool.split(",")[0]) is not None


def compare(title: str, task: str, tools: list[str], queries: int, depth: int, folder: str = "") -> None:
    print(f"\n{title}")
    print(f"{'':24}{'wall s':>10}{'processor s':>14}{'peak MB':>10}{'recall_lab is':>22}")
    figures: dict[str, dict[str, Any]] = {}
    for tool in tools:
        if not installed(tool):
            print(f"{tool:24}{'not installed':>14}")
            continue
        found = figures[tool] = in_a_child(task, tool, queries, depth, folder)
        ratio = found["wall"] / figures["recall_lab"]["wall"]
        memory = figures["recall_lab"]["megabytes"] / found["megabytes"]
        beside = "" if tool.startswith("recall_lab") else f"{ratio:.1f}x as fast"
        if beside and task == "file":
            beside += f", {memory:.0%} memory"
        print(
            f"{tool:24}{found['wall']:10.2f}{found['processor']:14.2f}{found['megabytes']:10.0f}{beside:>30}",
            flush=True,
        )
    results = [found["result"] for found in figures.values()]
    same = all(abs(a - b) < 1e-6 for result in results for a, b in zip(result, results[0], strict=True))
    print("all give the same values" if same else f"THE VALUES DIFFER: {results}")


def compare_small_inputs() -> None:
    print("\nsmall inputs, recall at six cutoffs, from dicts (microseconds)")
    print(f"{'':24}{'evaluate':>10}{'measures.py':>14}")
    for queries, depth in ((5, 20), (10, 20), (20, 20), (50, 100)):
        judgments, results = make_data(queries, depth)

        times = [
            best_of(lambda: tool(judgments, results, CUTOFFS), 100)["wall"] * 1e6  # noqa: B023
            for tool in (ours, by_plain_loops)
        ]
        print(f"{f'{queries} queries × {depth}':24}{times[0]:10.0f}{times[1]:14.0f}")


def compare_imports() -> None:
    print("\nimports, in milliseconds (best of ten processes)")
    everything = "import recall_lab; recall_lab.evaluate, recall_lab.GoldenDataset, recall_lab.Run"
    for statement in ("pass", "import pandas", "import recall_lab", everything):
        times = []
        for _ in range(10):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", statement], check=True)
            times.append(time.perf_counter() - start)
        print(f"{min(times) * 1000:8.0f}  {statement}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--depth", type=int, default=1000, help="results of each query")
    parser.add_argument("--parts", default="dicts,file,small,imports", help="which parts to run")
    parser.add_argument("--all", action="store_true", help="also the slow tools for curve and file")
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        task, tool, queries, depth, folder = arguments.child
        print(json.dumps(in_this_process(task, tool, int(queries), int(depth), folder)))
        return

    parts, queries, depth = arguments.parts.split(","), arguments.queries, arguments.depth
    few = ["recall_lab", "pytrec_eval"]
    size = f"{queries:,} queries × {depth:,} results"
    if "dicts" in parts:
        compare(f"mean recall at six cutoffs, from dicts, {size}", "six cutoffs", list(DICTS), queries, depth)
        tools = list(DICTS) if arguments.all else few
        compare(f"the whole curve k = 1 … {depth}, from dicts, {size}", "curve", tools, queries, depth)
    if "file" in parts:
        with tempfile.TemporaryDirectory() as folder:
            write_files(Path(folder), queries, depth)
            tools = [tool for tool in FILES if arguments.all or tool not in ("ir_measures", "ranx")]
            compare(
                f"a run file read and scored, {queries * depth:,} lines",
                "file",
                tools,
                queries,
                depth,
                folder,
            )
    if "small" in parts:
        compare_small_inputs()
    if "imports" in parts:
        compare_imports()


if __name__ == "__main__":
    main()
