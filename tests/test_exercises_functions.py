"""Functions as learners write them: right in many ways, and wrong in many ways."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from recall_lab import measures
from recall_lab.exercises import another, check, registry, yours_or_ours
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.measures import micro_recall_at_k

ID = "03.recall_at_k"


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))


# -- right ---------------------------------------------------------------------------------------------------


def with_sets(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return len(set(retrieved_ids[:k]) & relevant_ids) / len(relevant_ids)


def with_fraction(retrieved_ids, relevant_ids, k):
    if len(relevant_ids) == 0:
        return None
    found = []
    for document in retrieved_ids[0:k]:
        if document in relevant_ids and document not in found:
            found.append(document)
    return Fraction(len(found), len(relevant_ids))


def with_numpy(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return np.isin(list(relevant_ids), retrieved_ids[:k]).mean()


def with_pandas(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    top = pd.Series(retrieved_ids[:k], dtype=object).drop_duplicates()
    return top.isin(relevant_ids).sum() / len(relevant_ids)


def with_other_names(ranking, gold, cutoff=10, /, *rest, verbose=False):
    return with_sets(ranking, gold, cutoff)


class Callable:
    def __call__(self, retrieved_ids, relevant_ids, k):
        return with_sets(retrieved_ids, relevant_ids, k)


@pytest.mark.parametrize(
    "function",
    [with_sets, with_fraction, with_numpy, with_pandas, with_other_names, Callable(), measures.recall_at_k],
    ids=lambda f: getattr(f, "__name__", "object"),
)
def test_right_functions_pass(function):
    result = check(ID, function)
    assert result.status == "passed", result
    assert not result.verdict.notes


# -- wrong, and named ----------------------------------------------------------------------------------------


def precision(retrieved_ids, relevant_ids, k):
    return len(set(retrieved_ids[:k]) & relevant_ids) / k


def precision_for_nothing_none(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return len(set(retrieved_ids[:k]) & relevant_ids) / k


def capped(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return len(set(retrieved_ids[:k]) & relevant_ids) / min(k, len(relevant_ids))


def hit(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return float(any(d in relevant_ids for d in retrieved_ids[:k]))


def zero_for_nothing(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return 0.0
    return len(set(retrieved_ids[:k]) & relevant_ids) / len(relevant_ids)


def counts_repeats(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return sum(d in relevant_ids for d in retrieved_ids[:k]) / len(relevant_ids)


def slice_from_one(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return len(set(retrieved_ids[1 : k + 1]) & relevant_ids) / len(relevant_ids)


def range_to_k(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    found = set()
    for rank, document in enumerate(retrieved_ids):
        if rank <= k and document in relevant_ids:
            found.add(document)
    return len(found) / len(relevant_ids)


def k_unused(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    return len(set(retrieved_ids) & relevant_ids) / len(relevant_ids)


def of_the_found(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    found = set(retrieved_ids) & relevant_ids
    return len(set(retrieved_ids[:k]) & found) / len(found) if found else 0


def jaccard(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        return None
    top = set(retrieved_ids[:k])
    return len(top & relevant_ids) / len(top | relevant_ids)


def undivided(retrieved_ids, relevant_ids, k):
    return len(set(retrieved_ids[:k]) & relevant_ids) if relevant_ids else None


@pytest.mark.parametrize(
    ("function", "mistakes"),
    [
        (precision_for_nothing_none, ("divided_by_k",)),
        (precision, ("divided_by_k", "nothing_relevant_as_zero")),
        (capped, ("divided_by_reachable",)),
        (hit, ("hit_or_miss",)),
        (zero_for_nothing, ("nothing_relevant_as_zero",)),
        (counts_repeats, ("repeats_counted",)),
        (slice_from_one, ("first_result_skipped",)),
        (range_to_k, ("cut_one_late",)),
        (k_unused, ("no_cut",)),
        (of_the_found, ("divided_by_found",)),
        (jaccard, ("jaccard",)),
        (undivided, ("not_divided",)),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_wrong_functions_are_recognised(function, mistakes):
    result = check(ID, function)
    assert result.status == "not yet"
    assert set(result.mistakes) == set(mistakes)
    assert f"{function.__name__}([" in result.verdict.evidence, "the case that failed is shown"
    for id in mistakes:
        assert CATALOGUE[id].name in result.message


def test_three_slips_at_once_are_recognised_on_ordinary_cases():
    def naive(retrieved_ids, relevant_ids, k):
        return sum(d in relevant_ids for d in retrieved_ids[:k]) / k

    result = check(ID, naive)
    assert result.mistakes == ("divided_by_k",)
    assert "ordinary cases" in result.message


def test_the_first_failure_is_the_smallest():
    result = check(ID, k_unused)
    case = result.verdict.evidence.splitlines()[0]
    assert len(re.findall(r"'\w+'", case)) <= 6


def test_an_unknown_mistake_gets_what_is_certain():
    above_one = check(ID, lambda r, g, k: 1.5 if g else None)
    assert "above one" in above_one.message
    below_zero = check(ID, lambda r, g, k: -0.5 if g else None)
    assert "below zero" in below_zero.message
    rounds = check(ID, lambda r, g, k: round(with_sets(r, g, k), 2) if g else None)
    assert "round" in rounds.message
    something = check(ID, lambda r, g, k: 0.123 if g else None)
    assert "too high" in something.message or "too low" in something.message
    for result in (above_one, below_zero, rounds, something):
        assert result.status == "not yet"
        assert not result.mistakes


# -- code that does not work ---------------------------------------------------------------------------------


def forever(retrieved_ids, relevant_ids, k):
    while True:
        k += 1


def recursive(retrieved_ids, relevant_ids, k):
    return recursive(retrieved_ids, relevant_ids, k + 1)


def leaves(retrieved_ids, relevant_ids, k):
    exit()


def divides_by_nothing(retrieved_ids, relevant_ids, k):
    return len(set(retrieved_ids[:k]) & relevant_ids) / len(relevant_ids)


def misspells(retrieved_ids, relevant_ids, k):
    return len(set(retrieved_id[:k]) & relevant_ids) / len(relevant_ids)  # noqa: F821


def beyond_the_end(retrieved_ids, relevant_ids, k):
    hits = [retrieved_ids[i] for i in range(k) if retrieved_ids[i] in relevant_ids]
    return len(set(hits)) / len(relevant_ids) if relevant_ids else None


def list_and_set(retrieved_ids, relevant_ids, k):
    return len(retrieved_ids[:k] & relevant_ids) / len(relevant_ids)


def own_error(retrieved_ids, relevant_ids, k):
    raise LookupError("I give up")


def partly_written(retrieved_ids, relevant_ids, k):
    if not relevant_ids:
        raise NotImplementedError
    return with_sets(retrieved_ids, relevant_ids, k)


def asks_for_too_much(retrieved_ids, relevant_ids, k):
    return [0] * 10**15


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (forever, "a million steps"),
        (recursive, "calls itself"),
        (leaves, "exit"),
        (divides_by_nothing, "divides by nothing"),
        (misspells, "name that nobody has defined"),
        (beyond_the_end, "beyond the end"),
        (list_and_set, "cannot be combined"),
        (own_error, "What did that line expect"),
        (partly_written, "NotImplementedError"),
        (asks_for_too_much, "memory"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_code_that_fails_gets_a_sentence_of_its_own(function, words):
    result = check(ID, function)
    assert result.status == "error in your code"
    assert words in result.message
    assert result.verdict.evidence.startswith(f"{function.__name__}("), "under the learner's name"


def test_the_error_and_its_line_are_shown():
    evidence = check(ID, divides_by_nothing).verdict.evidence
    assert "raised ZeroDivisionError" in evidence
    assert "in line 2: return len(set(retrieved_ids[:k])" in evidence
    assert "Traceback" not in evidence


def test_the_stop_button_decides_nothing():
    def interrupted(retrieved_ids, relevant_ids, k):
        raise KeyboardInterrupt

    result = check(ID, interrupted)
    assert result.status == "not yet"
    assert "stopped by hand" in result.message


def test_what_is_returned_must_be_a_number():
    for value, words in [
        (True, "yes or no"),
        (float("nan"), "NaN"),
        ([0.5], "a list"),
        ("text", "cannot read"),
        (object(), "an object"),
    ]:
        result = check(ID, lambda r, g, k, value=value: value)
        assert result.status == "not yet"
        assert words in result.message


def test_shapes_that_are_no_plain_function():
    def yields(retrieved_ids, relevant_ids, k):
        yield 0.5

    async def waits(retrieved_ids, relevant_ids, k):
        return 0.5

    def two(retrieved_ids, relevant_ids):
        return 0.5

    for answer, words in [
        (yields, "return instead of yield"),
        (waits, "async"),
        (two, "other arguments"),
        (0.5, "function itself"),
        ("recall_at_k", "function itself"),
    ]:
        result = check(ID, answer)
        assert result.status == "not yet"
        assert words in result.message


def test_a_forgotten_return_is_not_a_blank():
    def forgets(retrieved_ids, relevant_ids, k):
        with_sets(retrieved_ids, relevant_ids, k)

    result = check(ID, forgets)
    assert result.status == "not yet"
    assert "return" in result.message


def test_changed_input_is_noticed():
    def sorts(retrieved_ids, relevant_ids, k):
        answer = with_sets(retrieved_ids, relevant_ids, k)
        retrieved_ids.reverse()
        return answer

    def empties(retrieved_ids, relevant_ids, k):
        answer = with_sets(retrieved_ids, relevant_ids, k)
        relevant_ids.clear()
        return answer

    class Same(str):
        def __eq__(self, other):
            return True

        __hash__ = str.__hash__

    def swaps(retrieved_ids, relevant_ids, k):
        answer = with_sets(retrieved_ids, relevant_ids, k)
        retrieved_ids[:] = [Same("x") for _ in retrieved_ids]
        return answer

    for function in (sorts, empties, swaps):
        result = check(ID, function)
        assert result.status == "not yet"
        assert "changed" in result.message


def test_what_is_remembered_between_calls_is_noticed():
    seen = []

    def remembers(retrieved_ids, relevant_ids, k):
        seen.append(k)
        if len(seen) > 18:
            return 0.75
        return with_sets(retrieved_ids, relevant_ids, k)

    assert "remember" in check(ID, remembers).message

    calls = []

    def wrong_once(retrieved_ids, relevant_ids, k):
        calls.append(k)
        return 0.3 if len(calls) == 3 else with_sets(retrieved_ids, relevant_ids, k)

    assert "remember" in check(ID, wrong_once).message


def test_prints_are_told_not_shown(capsys):
    def talks(retrieved_ids, relevant_ids, k):
        print("k is", k)
        return with_sets(retrieved_ids, relevant_ids, k)

    result = check(ID, talks)
    assert result.passed
    assert "k is 1" in repr(result)
    assert capsys.readouterr().out == ""


def test_reading_the_notebook_is_told():
    names = {"threshold": 1, "with_sets": with_sets}
    exec(
        "def recall_at_k(retrieved_ids, relevant_ids, k):\n"
        "    return with_sets(retrieved_ids, relevant_ids, k * threshold)\n",
        names,
    )
    result = check(ID, names["recall_at_k"])
    assert result.passed
    assert "reads threshold from outside" in repr(result)


def test_the_check_looks_at_what_it_is_given():
    """A name that a later cell overwrites changes nothing."""
    names: dict[str, object] = {}
    exec("def recall_at_k(retrieved_ids, relevant_ids, k):\n    return None\n", names)
    stub = names["recall_at_k"]
    names["recall_at_k"] = with_sets
    assert check(ID, stub).status == "not attempted"


def test_the_mean_survives_the_fixture():
    def no_guard(runs, k):
        recalls = [with_sets(retrieved, relevant, k) for retrieved, relevant in runs]
        return sum(r for r in recalls if r is not None) / len([r for r in recalls if r is not None])

    assert check("03.mean_recall_at_k", no_guard).status == "error in your code"
    assert check("03.mean_recall_at_k", measures.mean_recall_at_k).passed
    micro = check("03.mean_recall_at_k", measures.micro_recall_at_k)
    assert micro.mistakes == ("micro",)

    def zero(runs, k):
        return (
            sum(with_sets(retrieved, relevant, k) or 0 for retrieved, relevant in runs) / len(runs)
            if runs
            else None
        )

    assert check("03.mean_recall_at_k", zero).mistakes == ("nothing_relevant_as_zero",)


def test_yours_or_ours(capsys):
    def stub(retrieved_ids, relevant_ids, k): ...

    assert yours_or_ours(ID, with_sets) is with_sets
    assert capsys.readouterr().out == "This cell uses your with_sets.\n"
    assert yours_or_ours(ID, stub) is measures.recall_at_k
    assert capsys.readouterr().out == "This cell uses recall_at_k of recall_lab: yours is not written yet.\n"
    assert yours_or_ours(ID, precision) is measures.recall_at_k
    assert (
        capsys.readouterr().out
        == "This cell uses recall_at_k of recall_lab: yours does not pass its check yet.\n"
    )
    assert yours_or_ours(ID, forever) is measures.recall_at_k
    with pytest.raises(ValueError, match="does not ask for a function"):
        yours_or_ours("02.recall_by_hand", with_sets)


@pytest.mark.parametrize(
    "id",
    [
        e.id
        for lesson in registry.lessons().values()
        for e in lesson.exercises
        if hasattr(e, "ours") and hasattr(e, "function")
    ],
)
def test_cases_grow(id):
    """Ordinary cases come before special ones, and the last is the largest."""
    exercise = registry.find(id)
    calls = [exercise._call(exercise.arguments(sheet)) for sheet in exercise.lesson()]
    assert len(calls[0]) == min(map(len, calls[:6]))
    assert len(calls[-1]) == max(map(len, calls))


def _adds_none(runs, k):
    return sum(with_sets(retrieved, relevant, k) for retrieved, relevant in runs) / len(runs)


def _forgets_k(runs, k):
    return sum(with_sets(retrieved, relevant) for retrieved, relevant in runs) / len(runs)


# -- functions of several questions --------------------------------------------------------------------------

MEAN, MICRO = "03.mean_recall_at_k", "06.micro_recall_at_k"


def thrown_together(runs, k):
    got, wanted = set(), set()
    for retrieved, relevant in runs:
        got |= set(retrieved[:k])
        wanted |= relevant
    return len(got & wanted) / len(wanted) if wanted else None


def found_in_one_set(runs, k):
    found, existing = set(), 0
    for retrieved, relevant in runs:
        found |= set(retrieved[:k]) & relevant
        existing += len(relevant)
    return len(found) / existing if existing else None


def found_and_wanted_in_one_set(runs, k):
    found, wanted = set(), set()
    for retrieved, relevant in runs:
        found |= set(retrieved[:k]) & relevant
        wanted |= relevant
    return len(found) / len(wanted) if wanted else None


def remembers_what_was_seen(runs, k):
    seen, recalls = set(), []
    for retrieved, relevant in runs:
        if relevant:
            new = (set(retrieved[:k]) & relevant) - seen
            seen |= new
            recalls.append(len(new) / len(relevant))
    return sum(recalls) / len(recalls) if recalls else None


def hits_of_any_question(runs, k):
    wanted = set().union(*(relevant for _, relevant in runs))
    found = sum(len(set(retrieved[:k]) & wanted) for retrieved, _ in runs)
    return found / sum(len(relevant) for _, relevant in runs) if wanted else None


def micro_without_repeats_first(runs, k):
    return measures.micro_recall_at_k([(list(dict.fromkeys(r)), relevant) for r, relevant in runs], k)


def mean_without_repeats_first(runs, k):
    return measures.mean_recall_at_k([(list(dict.fromkeys(r)), relevant) for r, relevant in runs], k)


def micro_returns_in_the_loop(runs, k):
    found = existing = 0
    for retrieved, relevant in runs:
        found += len(set(retrieved[:k]) & relevant)
        existing += len(relevant)
        return found / existing if existing else None


def micro_starts_anew(runs, k):
    for retrieved, relevant in runs:
        found = existing = 0
        found += len(set(retrieved[:k]) & relevant)
        existing += len(relevant)
    return found / existing if existing else None


def mean_returns_in_the_loop(runs, k):
    recalls = []
    for retrieved, relevant in runs:
        recalls.append(with_sets(retrieved, relevant, k))
        return sum(recalls) / len(recalls)


def mean_starts_anew(runs, k):
    for retrieved, relevant in runs:
        recalls = []
        recalls.append(with_sets(retrieved, relevant, k))
    return sum(recalls) / len(recalls)


def micro_with_two_slashes(runs, k):
    found = sum(len(set(retrieved[:k]) & relevant) for retrieved, relevant in runs)
    existing = sum(len(relevant) for _, relevant in runs)
    return found // existing if existing else None


@pytest.mark.parametrize("seed", [None, 7, 2244])
@pytest.mark.parametrize(
    ("id", "function", "mistake"),
    [
        (MICRO, thrown_together, "thrown_together"),
        (MICRO, found_in_one_set, "found_twice_counted_once"),
        (MICRO, found_and_wanted_in_one_set, "wanted_twice_counted_once"),
        (MICRO, micro_without_repeats_first, "repeats_removed_first"),
        (MICRO, micro_returns_in_the_loop, "first_question_only"),
        (MICRO, micro_starts_anew, "last_question_only"),
        (MICRO, micro_with_two_slashes, "cut_off_to_whole_numbers"),
        (MEAN, thrown_together, "thrown_together"),
        (MEAN, remembers_what_was_seen, "found_before_skipped"),
        (MEAN, mean_without_repeats_first, "repeats_removed_first"),
        (MEAN, mean_returns_in_the_loop, "first_question_only"),
        (MEAN, mean_starts_anew, "last_question_only"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_slip_between_the_questions_is_named(id, function, mistake, seed):
    result = check(id if seed is None else another(id, seed=seed), function)
    assert (result.status, result.mistakes) == ("not yet", (mistake,)), result


@pytest.mark.parametrize("seed", [None, 7, 2244])
def test_a_passage_that_only_another_question_wants_is_no_hit(seed):
    subject = MICRO if seed is None else another(MICRO, seed=seed)
    assert check(subject, hits_of_any_question).status == "not yet"


def test_leaving_the_work_to_the_library_is_told():
    def theirs(runs, k):
        return micro_recall_at_k(runs, k)

    result = check(MICRO, theirs)
    assert result.passed and "calls micro_recall_at_k of recall_lab" in repr(result)


@pytest.mark.parametrize(("function", "words"), [(_adds_none, "is None"), (_forgets_k, "too few arguments")])
def test_a_type_error_is_told_as_it_is(function, words):
    result = check("03.mean_recall_at_k", function)
    assert result.status == "error in your code"
    assert words in result.message


def test_a_name_left_over_in_the_notebook_is_told_when_the_check_fails():
    names: dict[str, object] = {"R": 40}
    exec("def my_ceiling(relevant_counts, k):\n    return min(k, R) / R\n", names)
    result = check("05.achievable_recall_at_k", names["my_ceiling"])
    assert result.status == "not yet"
    assert "reads R from outside: an earlier cell of the notebook made that, it is not" in repr(result)
    assert "my_ceiling(" in repr(result) and "achievable_recall_at_k(" not in repr(result)


def test_two_slips_are_shown_on_a_case_of_the_one_asked_about():
    def both(retrieved_ids, relevant_ids, k):
        if not relevant_ids:
            return None
        return sum(d in relevant_ids for d in retrieved_ids[1 : k + 1]) / len(relevant_ids)

    result = check(ID, both)
    assert result.mistakes == ("repeats_counted", "first_result_skipped")
    call = result.verdict.evidence.partition("(")[2]
    retrieved = re.findall(r"'(.)'", call.partition("]")[0])
    assert len(set(retrieved)) < len(retrieved), "the slip asked about is the repeat"


def test_removing_repeats_before_the_cut_is_named():
    def early(retrieved_ids, relevant_ids, k):
        return with_sets(list(dict.fromkeys(retrieved_ids)), relevant_ids, k)

    assert check(ID, early).mistakes == ("repeats_removed_first",)
