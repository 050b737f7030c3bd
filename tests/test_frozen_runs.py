"""The frozen runs: whole, fresh, and what their systems return today."""

from __future__ import annotations

import ast
import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.runs import build as builder
from authoring.runs.recipes import RECIPES, make
from authoring.runs.results import results_page
from recall_lab import GoldenDataset, Run
from recall_lab.errors import FolderError, InputFileError, RecallLabError
from recall_lab.resources import shipped_folder
from recall_lab.retrieval import frozen_run, frozen_runs, merged_passages
from recall_lab.retrieval.shipped import TEXTS, checksums_of_texts, run_checksum

HOME = shipped_folder("datasets") / "library_of_things"
REBUILD = "make them again: python -m authoring.runs.build --help"

# Made with nothing but the core and other runs: the same to the last digit on every machine.
EXACT = [name for name, recipe in RECIPES.items() if not {"wordllama", "torch"} & set(recipe.packages)]
WORDLLAMA = ["wordllama", "wordllama_merged"]


@pytest.fixture(scope="module")
def golden() -> GoldenDataset:
    return GoldenDataset.load("library_of_things")


@pytest.fixture(scope="module")
def frozen() -> dict[str, Run]:
    return {name: frozen_run(name) for name in frozen_runs()}


def live(name: str, golden: GoldenDataset) -> Run:
    """A run made again with the expression that the manifest prints."""
    return make(RECIPES[name], name, frozen_run, golden)


def test_the_manifest_tells_of_every_recipe_and_every_file() -> None:
    manifest = frozen_runs()
    assert list(manifest) == list(RECIPES)
    assert {path.name for path in (HOME / "runs").iterdir()} == {f"{name}.run.gz" for name in RECIPES} | {
        "manifest.json"
    }
    for name, recipe in RECIPES.items():
        entry = manifest[name]
        assert (entry.system, entry.make, entry.parameters) == (
            recipe.system,
            recipe.make,
            recipe.parameters,
        ), REBUILD
        assert (entry.depth, entry.judgments) == (recipe.depth, recipe.judgments), REBUILD
        assert set(entry.versions) == set(recipe.packages)
        assert run_checksum(entry.path) == entry.sha256


def test_the_runs_are_made_from_the_texts_of_today() -> None:
    manifest = json.loads((HOME / "runs" / "manifest.json").read_text(encoding="utf-8"))
    about = json.loads((HOME / "dataset.json").read_text(encoding="utf-8"))
    assert manifest["made_from"] == checksums_of_texts(), f"the texts have changed since; {REBUILD}"
    assert (manifest["dataset"], manifest["dataset_version"]) == (about["name"], about["version"]), REBUILD


def test_a_changed_text_has_another_checksum(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = checksums_of_texts()
    folder = tmp_path / "datasets" / "library_of_things"
    shutil.copytree(HOME, folder, ignore=shutil.ignore_patterns("runs", "annotation"))
    monkeypatch.setattr("recall_lab.retrieval.shipped.shipped_folder", lambda name: tmp_path / name)
    assert checksums_of_texts() == before
    for name in TEXTS:
        text = (folder / name).read_bytes()
        (folder / name).write_bytes(text.replace(b"\n", b"\r\n"))
        assert checksums_of_texts() == before
        (folder / name).write_bytes(text + b" ")
        assert [changed for changed in TEXTS if checksums_of_texts()[changed] != before[changed]] == [name]
        (folder / name).write_bytes(text)


def test_every_run_answers_every_question_from_the_corpus(
    golden: GoldenDataset, frozen: dict[str, Run]
) -> None:
    corpora = {"test": set(golden.passages), "merged": set(merged_passages())}
    for name, run in frozen.items():
        assert run.name == name
        assert run.query_ids == list(golden.questions)
        corpus = corpora[frozen_runs()[name].judgments]
        depths = [run.depth(question) for question in run]
        assert max(depths) <= frozen_runs()[name].depth
        assert all(corpus.issuperset(run.scores(question)) for question in run)
    assert {frozen["wordllama"].depth(question) for question in golden.questions} == {len(golden.passages)}


@pytest.mark.parametrize("name", EXACT)
def test_live_equals_frozen(name: str, golden: GoldenDataset, frozen: dict[str, Run]) -> None:
    assert live(name, golden) == frozen[name], REBUILD


@pytest.mark.parametrize("name", WORDLLAMA)
def test_live_wordllama_equals_frozen(name: str, golden: GoldenDataset, frozen: dict[str, Run]) -> None:
    """But for the last digit: another processor adds 32-bit numbers in another order."""
    again = live(name, golden)
    for question in golden.questions:
        ours, theirs = again.scores(question), frozen[name].scores(question)
        assert len(ours.keys() & theirs.keys()) >= 0.98 * len(theirs), REBUILD
        assert all(abs(ours[id_] - theirs[id_]) < 2e-4 for id_ in ours.keys() & theirs.keys()), REBUILD


def test_live_reranking_equals_frozen(golden: GoldenDataset, frozen: dict[str, Run]) -> None:
    again, then = live("reranked_wordllama", golden), frozen["reranked_wordllama"]
    for question in golden.questions:
        assert again.scores(question) == pytest.approx(then.scores(question), abs=2e-4), REBUILD


def test_a_live_index_finds_about_what_the_frozen_one_found(
    golden: GoldenDataset, frozen: dict[str, Run]
) -> None:
    """Not to the letter: which neighbours a graph links depends on the last digits."""
    again, then = live("approximate", golden), frozen["approximate"]
    shared = [len(set(again.ranking(q, 20)) & set(then.ranking(q, 20))) / 20 for q in golden.questions]
    assert sum(shared) / len(shared) > 0.5, REBUILD


@pytest.mark.parametrize("name", RECIPES)
def test_parameters_are_those_of_the_expression(name: str) -> None:
    recipe = RECIPES[name]
    keywords = {
        str(keyword.arg): keyword.value.value
        for node in ast.walk(ast.parse(recipe.make, mode="eval"))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if isinstance(keyword.value, ast.Constant)
    }
    depth = keywords.pop("depth", recipe.depth)
    assert depth == recipe.depth
    assert {setting: recipe.parameters.get(setting) for setting in keywords} == keywords


def test_the_published_table_is_what_the_runs_give(frozen: dict[str, Run]) -> None:
    assert (HOME / "RESULTS.md").read_text(encoding="utf-8") == results_page(frozen), REBUILD


def test_an_unknown_run_is_named_with_those_there_are() -> None:
    with pytest.raises(
        RecallLabError, match="'keywrd'; did you mean 'keyword'\\? There are: keyword, wordllama"
    ):
        frozen_run("keywrd")
    with pytest.raises(FolderError, match="'nothing'"):
        frozen_run("keyword", dataset="nothing")


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A copy of the dataset, in the place where the library and the builder look."""
    shutil.copytree(HOME, tmp_path / "datasets" / "library_of_things")
    for module in ("recall_lab.retrieval.shipped", "authoring.runs.build", "recall_lab.golden"):
        monkeypatch.setattr(f"{module}.shipped_folder", lambda name: tmp_path / name)
    yield tmp_path / "datasets" / "library_of_things"


def test_a_changed_file_is_refused(copied: Path) -> None:
    path = copied / "runs" / "hybrid_10.run.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b" 0.0", b" 1.0", 1)))
    with pytest.raises(InputFileError, match=r"hybrid_10\.run\.gz.*not the run that the manifest"):
        frozen_run("hybrid_10")


def test_another_compressor_changes_nothing(copied: Path) -> None:
    path = copied / "runs" / "hybrid_10.run.gz"
    before = path.read_bytes()
    path.write_bytes(gzip.compress(gzip.decompress(before), compresslevel=1, mtime=1))
    assert path.read_bytes() != before
    assert frozen_run("hybrid_10").depth("q001") > 0


def test_the_builder_refuses_to_keep_a_run_of_other_texts(copied: Path, tmp_path: Path) -> None:
    target = tmp_path / "minilm.run.gz"
    assert builder._keep("minilm", copied / "runs", target) == frozen_runs()["minilm"].versions
    assert run_checksum(target) == frozen_runs()["minilm"].sha256
    (copied / "queries.jsonl").write_bytes((copied / "queries.jsonl").read_bytes() + b"\n")
    with pytest.raises(builder.BuildError, match="texts have changed since the run 'minilm' was made"):
        builder._keep("minilm", copied / "runs", target)


def test_merged_passages_belong_to_the_merged_judgments(golden: GoldenDataset) -> None:
    merged = GoldenDataset.load("library_of_things", judgments="merged")
    passages = merged_passages()
    judged = {passage for grades in merged.judgments.values() for passage in grades}
    assert judged <= set(passages)
    assert len(passages) < len(golden.passages)
    joined = [passage for passage in passages if passage not in golden.passages]
    for passage in joined:
        first, second = passage.split("+")
        parts = [golden.passages[first].text, golden.passages[f"{first.rpartition('-')[0]}-{second}"].text]
        assert passages[passage].text == " ".join(parts)
    assert len(joined) == len(golden.passages) - len(passages)
