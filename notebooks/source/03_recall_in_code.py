# %% [markdown]
# # 03 · Recall in code
#
# **You will be able to** write `recall_at_k` so that it survives awkward data, and find the bug in somebody else's
# version by writing the input that exposes it.
#
# **Time:** about {minutes} minutes, [an estimate](start.ipynb#The-lessons). **Builds on:**
# [02 · Recall by hand](02_recall_by_hand.ipynb). You should be able to read a Python function.
#
# The first cell fetches the tools. The names in capitals serve a list and a picture further down; you need not know them.

# %%
from recall_lab import GoldenDataset
from recall_lab.exercises import another, check, fixture, hint, predict, reveal, task, yours_or_ours
from recall_lab.exercises.lesson_03 import RESULTS
from recall_lab.exercises.misconceptions import CATALOGUE, ON_FIXTURE
from recall_lab.exercises.own import own_golden
from recall_lab.exercises.recipe import RECALL
from recall_lab.retrieval.shipped import frozen_run
from recall_lab.widgets import ConventionSwitchesView

print("Ready.")

# %% [markdown]
# ## Three lines of English
#
# Before any Python, say it in English.
#
# 1. Take the first k results.
# 2. Count the relevant ones among them, each once.
# 3. Divide by how many relevant ones exist. If none exist there is no recall, and the answer is `None`.
#
# Now say the same in Python. `retrieved_ids` is a list, best first. `relevant_ids` is a set. `k` is a whole number.
#
# The check tries your function on small cases, the smallest first, and shows you the first one that goes wrong. So write
# something simple, run it, and let the check argue with you.


# %% label="03.recall_at_k" tags=["exercise"]
def recall_at_k(retrieved_ids, relevant_ids, k):
    """Share of the relevant ids among the first k retrieved; None where nothing is relevant."""
    ...


check("03.recall_at_k", recall_at_k)


# %% label="03.recall_at_k" tags=["solution"]
def recall_at_k(retrieved_ids, relevant_ids, k):
    """Share of the relevant ids among the first k retrieved; None where nothing is relevant."""
    if not relevant_ids:
        return None
    found = set(retrieved_ids[:k]) & set(relevant_ids)
    return len(found) / len(relevant_ids)


# %% [markdown]
# The rest of this lesson needs the function. If yours doesn't pass yet, the one of the `recall_lab` package stands in for it, and
# the next cell says so. You can come back at any time.

# %%
recall_at_k = yours_or_ours("03.recall_at_k", recall_at_k)

# %% [markdown]
# ## Where it slips
#
# Three lines of English leave room for a surprising number of slips. Here are four that sit inside one question.
# Before you run a cell, say what it should print.

# %% [markdown]
# ### Where the cut falls
#
# Ranks count from one, Python counts from zero. The top 2 of a list are `ids[:2]`. The other two lines below are what
# people write when they try to help Python with the counting.

# %%
ids = ["A", "B", "C", "D"]

print("the top 2:        ", ids[:2])
print("one too few:      ", ids[: 2 - 1])
print("the first is gone:", ids[1 : 2 + 1])

# %% [markdown]
# ### The denominator
#
# The bottom of the fraction is the number of relevant passages **that exist**. Not k, not the length of the list, not the
# relevant ones that happen to be in the list. Here the list is short and k reaches beyond its end. That changes nothing.

# %%
print(recall_at_k(["A", "x"], {"A", "B", "C", "D"}, 5))

# %% [markdown]
# ### A passage that comes twice
#
# Two indexes, one merged list, and the same passage comes from both. The reader has found one thing, not two. Cut first,
# then count each passage once. (The repeat still takes up a rank; the reader had to look at it.)

# %%
print(recall_at_k(["A", "A", "x"], {"A", "B"}, 3))

# %% [markdown]
# ### Ids are text
#
# An id is a name, even where it looks like a number. If one file was read as text and the other as numbers, nothing matches
# and recall is zero, without any complaint. If both were read as numbers, two different passages may become one.

# %%
print(7 == "7")
print("007" == "7", int("007") == int("7"))

# %% [markdown]
# ## From one question to many
#
# A **[run](glossary.ipynb#Run)** is what the search returned for a whole set of questions. Here it is a list of pairs: what
# was retrieved, and what is relevant. The mean leaves out the questions without a recall, and only those.

# %% [markdown]
# ### A question without results
#
# Two kinds of nothing look alike and aren't. *Nothing to find* (no relevant passage exists): no recall, left out.
# *Nothing found* (the search returned an empty list although passages exist): recall zero, and it counts.


# %% label="03.mean_recall_at_k" tags=["exercise"]
def mean_recall_at_k(runs, k):
    """Mean recall@k of the pairs (retrieved_ids, relevant_ids); None where no pair has a recall."""
    ...


check("03.mean_recall_at_k", mean_recall_at_k)


# %% label="03.mean_recall_at_k" tags=["solution"]
def mean_recall_at_k(runs, k):
    """Mean recall@k of the pairs (retrieved_ids, relevant_ids); None where no pair has a recall."""
    recalls = [recall_at_k(retrieved, relevant, k) for retrieved, relevant in runs]
    defined = [recall for recall in recalls if recall is not None]
    return sum(defined) / len(defined) if defined else None


# %%
mean_recall_at_k = yours_or_ours("03.mean_recall_at_k", mean_recall_at_k)

# %% [markdown]
# ## From a file to a ranking
#
# So far somebody handed you tidy lists. Real results come out of files, and there three more decisions wait.

# %% [markdown]
# ### Order comes from the rank
#
# Nobody promises that the lines of a file are sorted. What decides is the score, highest first; where a file has no scores,
# the rank. And equal scores? Somebody must decide, or the order, and with it your recall, is left to chance. This
# workbook follows trec_eval, the program that researchers have compared their results with for decades: among equal scores, the
# **higher id comes first**, compared as text.
#
# Here are seven results as they stand in a file.

# %%
for document, score in RESULTS:
    print(document, score)

# %% [markdown]
# **Put them in order.** Write the list of ids, best first, such as `["d1", "d2"]` with all seven, or let Python sort. Mind the two with
# equal scores.

# %% label="03.ranking" tags=["exercise"]
ranking = ...

check("03.ranking", ranking)

# %% label="03.ranking" tags=["solution"]
# Highest score first; among equal scores the higher id first. So both run downwards.
in_order = sorted(RESULTS, key=lambda result: (result[1], result[0]), reverse=True)
ranking = [document for document, score in in_order]

# %% [markdown]
# ### The grade that means relevant
#
# A judgment is often more than yes or no. In the library of things grade 2 answers the question, grade 1 answers it in part
# or as an earlier edition had it. Which **[grade](glossary.ipynb#Grade)** counts as relevant is decided once, for the whole
# data set, and it is written down with it. Here it is 2.

# %%
print("relevant from grade", fixture.MIN_GRADE)

# %% [markdown]
# ### Unjudged passages
#
# Most passages in a long list were judged by nobody. It is tempting to drop them first, "to be fair". But the reader sees
# them, they take up ranks, and whatever stood below them moves up into the top k. They stay, and count as not relevant.

# %%
retrieved = ["unjudged 1", "unjudged 2", "A"]

print("left in: ", recall_at_k(retrieved, {"A"}, 2))
print("dropped: ", recall_at_k(["A"], {"A"}, 2))

# %% [markdown]
# ## One data set, many recalls
#
# Everything that can go wrong, in one small data set. Seven questions, a to g, with k = 5. Some questions have nothing to
# find, one has an empty list, one has a passage twice, the lines are not sorted, and the grades run from 0 to 2.

# %%
rows = fixture.rows()
judgments = fixture.judgments()

print("rows (question, rank, passage):", rows[:3], "...")
print("judgments of question b:       ", judgments["b"])

# %% [markdown]
# **Guess first.** Take the right answer and every way to get it wrong by *one* slip that an honest programmer might make.
# How many different numbers called "recall@5" does this little data set give?

# %% label="03.predict_how_many" tags=["exercise"]
my_guess = ...

predict("03.predict_how_many", my_guess)

# %% label="03.predict_how_many" tags=["solution"]
my_guess = 10

# %% [markdown]
# **Now compute the right one: mean recall@5, from the rows and the judgments.** You need four steps. The loop is there already; it
# goes over `judgments`, so a question without any row takes part. Fill in the other three.
#
# 1. The passages of this question as a list, in the order of their rank. The rows are not sorted.
# 2. The set of its passages of grade 2.
# 3. The pair of both joins the list `runs` (done).
# 4. `mean_recall_at_k` of `runs`.
#
# A wrong number is welcome here. The check knows two dozen slips, and tells you which of them gives your number.

# %% label="03.fixture" tags=["exercise"]
runs = []
for question in judgments:
    its_rows = [row for row in rows if row[0] == question]
    retrieved = ...  # step 1, from its_rows
    relevant = ...  # step 2, from judgments[question]
    runs.append((retrieved, relevant))  # step 3

fixture_recall = ...  # step 4

check("03.fixture", fixture_recall)

# %% label="03.fixture" tags=["solution"]
runs = []
for question in judgments:
    its_rows = [row for row in rows if row[0] == question]
    ranked = sorted((rank, passage) for asked, rank, passage in its_rows)
    retrieved = [passage for rank, passage in ranked]
    relevant = {passage for passage, grade in judgments[question].items() if grade >= 2}
    runs.append((retrieved, relevant))

fixture_recall = mean_recall_at_k(runs, 5)

# %% [markdown]
# ## See it move
#
# Each switch below is one decision. The first choice of each is the right one. Flip one at a time, put it back, flip the
# next, and watch what the same seven lists turn into. (The two cells only prepare and show the switches. You need not read them.)

# %%
switches = {
    "divide by": {
        "all that exist": None,
        "k": "divided_by_k",
        "smaller of k and R": "divided_by_reachable",
    },
    "nothing to find": {
        "left out": None,
        "counts 0": "nothing_relevant_as_zero",
        "counts 1": "nothing_relevant_as_one",
    },
    "a repeat": {"counts once": None, "counts again": "repeats_counted"},
    "relevant from": {"grade 2": None, "grade 1": "low_grades_counted"},
    "unjudged": {"stay": None, "are dropped": "unjudged_removed"},
    "an empty list": {"counts 0": None, "is left out": "empty_lists_dropped"},
    "mean": {"over questions": None, "over passages": "micro"},
}


# %%
def score(picks):
    """The fixture's recall@5 with the picked slips made."""
    recipe = RECALL
    for switch, pick in picks.items():
        slip = switches[switch][pick]
        recipe = CATALOGUE[slip].wrong(recipe) if slip else recipe
    return recipe.value(fixture.SHEET)


ConventionSwitchesView(switches, score, measure="recall@5", note="the seven questions of the fixture")

# %% [markdown]
# One data set, one k, and numbers like each of these have been published under the name of recall. And now the whole list, with
# slips that have no switch above. (*Jaccard* is what two sets share, divided by all that is in either.) How near was your guess?

# %%
values = {mistake.name: float(mistake.wrong(RECALL).value(fixture.SHEET)) for mistake in ON_FIXTURE}
right = float(RECALL.value(fixture.SHEET))

print(f"{right:.4f}  done right")
for name, value in sorted(values.items(), key=lambda item: item[1]):
    print(f"{value:.4f}  {name}")
print()
print("different numbers:", len({right, *values.values()}))

# %% [markdown]
# The lesson is not that people are careless. It is that **a number alone can't tell you how it was made.** Small data that you
# can work out by hand can.

# %% [markdown]
# ## Your function on real text
#
# What you have written measures real searches. Here it is on what a keyword search returned for every question of the library of things,
# once with our judgments and once with the golden dataset that you made in [lesson 01](01_build_a_golden_dataset.ipynb).

# %% tags=["nbval-ignore-output"] reason="Every learner's own dataset gives other numbers."
golden = GoldenDataset.load("library_of_things")
run = frozen_run("keyword")


def keyword_recall(dataset, k):
    """Mean recall@k of the keyword search, by the judgments of a dataset."""
    lists = []
    for question in dataset.judgments:
        retrieved = run.ranking(question) if question in run else []  # nothing was found
        lists.append((retrieved, dataset.relevant(question)))
    return mean_recall_at_k(lists, k)


print(f"With our judgments: recall@10 {keyword_recall(golden, 10):.3f}")
print(f"Measured with it: recall@10 {keyword_recall(own_golden(golden), 10):.3f}")

# %% [markdown]
# Two sets of judgments, one search, two numbers. The function is the same; what differs is the questions, and who judged how much.

# %% [markdown]
# ## Six bug hunts
#
# Code that measures is seldom tested, because its result *looks* like a result. Each function below fails in a way that
# public projects have failed. Your job is not to repair it. **Find the input that exposes it**: arguments on which it
# gives another value than it should. Small is beautiful: three passages are plenty.

# %% [markdown]
# ### First hunt

# %%
task("03.bug_k_unused")

# %% label="03.bug_k_unused" tags=["exercise"]
arguments = {"retrieved_ids": ..., "relevant_ids": ..., "k": ...}

check("03.bug_k_unused", arguments)

# %% label="03.bug_k_unused" tags=["solution"]
# B stands below the cut. A function that ignores k finds it all the same.
arguments = {"retrieved_ids": ["A", "x", "B"], "relevant_ids": {"A", "B"}, "k": 2}

# %% [markdown]
# ### Second hunt

# %%
task("03.bug_repeats")

# %% label="03.bug_repeats" tags=["exercise"]
arguments = {"retrieved_ids": ..., "relevant_ids": ..., "k": ...}

check("03.bug_repeats", arguments)

# %% label="03.bug_repeats" tags=["solution"]
# A comes twice. Counted twice, it makes recall complete although B is missing.
arguments = {"retrieved_ids": ["A", "A"], "relevant_ids": {"A", "B"}, "k": 2}

# %% [markdown]
# ### Third hunt

# %%
task("03.bug_found_only")

# %% label="03.bug_found_only" tags=["exercise"]
arguments = {"retrieved_ids": ..., "relevant_ids": ..., "k": ...}

check("03.bug_found_only", arguments)

# %% label="03.bug_found_only" tags=["solution"]
# B exists and isn't in the list. Who divides by what the list holds never learns of it.
arguments = {"retrieved_ids": ["A", "x"], "relevant_ids": {"A", "B"}, "k": 2}

# %% [markdown]
# ### Fourth hunt

# %%
task("03.bug_ids")

# %% label="03.bug_ids" tags=["exercise"]
arguments = {"retrieved_ids": ..., "relevant_ids": ..., "k": ...}

check("03.bug_ids", arguments)

# %% label="03.bug_ids" tags=["solution"]
# Two different ids that are the same number.
arguments = {"retrieved_ids": ["7"], "relevant_ids": {"007"}, "k": 1}

# %% [markdown]
# ### Fifth hunt
#
# This one gets grades instead of a set: a dict from passage to grade, relevant from grade 1. Grades may be negative; some test
# collections use them for spam.

# %%
task("03.bug_grades")

# %% label="03.bug_grades" tags=["exercise"]
arguments = {"retrieved_ids": ..., "grades": ..., "k": ...}

check("03.bug_grades", arguments)

# %% label="03.bug_grades" tags=["solution"]
# For Python every number but zero is true, so the spam counts as relevant.
arguments = {"retrieved_ids": ["spam"], "grades": {"A": 1, "spam": -1}, "k": 1}

# %% [markdown]
# ### Sixth hunt
#
# The last one takes the mean over several questions. `lists` and `relevant` are dicts from question to a list of ids.

# %%
task("03.bug_vanished")

# %% label="03.bug_vanished" tags=["exercise"]
arguments = {"lists": ..., "relevant": ..., "k": ...}

check("03.bug_vanished", arguments)

# %% label="03.bug_vanished" tags=["solution"]
# q2 has something to find and no result list. It should count 0; here it vanishes.
arguments = {"lists": {"q1": ["A"]}, "relevant": {"q1": ["A"], "q2": ["B"]}, "k": 1}

# %% [markdown]
# ## Checkpoint
#
# Five questions, and a script that prints a number. Which slip did its author make? Work out the right value first, then what each
# slip would print. Answer with the letter in quotes, such as `"a"`.

# %%
task("03.which_bug")

# %% label="03.which_bug" tags=["exercise"]
answer = ...

check("03.which_bug", answer)

# %% label="03.which_bug" tags=["solution"]
# Twelve hits in twenty-five places.
answer = "b"

# %% [markdown]
# ## Where this goes wrong in practice
#
# A team merges the results of two indexes. From that day some passages come twice. The script counts both, and a few
# questions get a recall above 1, which can't be. Nobody looks at single questions. Everybody looks at the mean, and the mean
# looks like progress:

# %%
per_question = [3 / 2, 1 / 2, 7 / 10]

print("per question:", per_question)
print("mean:        ", round(sum(per_question) / 3, 2))

# %% [markdown]
# A recall of 1.5 is easy to catch, a mean of .9 is not. One line, `assert recall <= 1`, would have caught it on the first
# evening. So would one small input with a repeat in it: the one you wrote in the second hunt.

# %% [markdown]
# ## One sentence to take away
#
# **Recall is three lines of code and a dozen decisions: write the decisions down, and test each one on data small enough to work
# out by hand.**
#
# Next: [04 · Recall curves](04_recall_curves.ipynb), where one number becomes a picture.
