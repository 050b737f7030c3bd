# %% [markdown]
# # 01 · Build a golden dataset
#
# **You will be able to** write a rubric, label with it, measure how far two annotators agree, settle where they differ, and save a
# golden dataset that a search can be measured with.
#
# **Time:** about {minutes} minutes, [an estimate](start.ipynb#The-lessons). **Builds on:** nothing. If notebooks are new to you, spend
# five minutes on [Start here](start.ipynb) first.
#
# You can stop at any time. What you label is on disk at once, and waits for you here tomorrow.

# %% [markdown]
# Click into the grey cell below and press **Shift+Enter**. It fetches the tools of this lesson.

# %%
from textwrap import fill

import pandas as pd

from recall_lab import GoldenDataset, evaluate
from recall_lab.exercises import another, check, hint, predict, reveal, task, twenty, yours_or_ours
from recall_lab.exercises.own import own_folder, own_golden
from recall_lab.labelling import Agreement, as_judgments
from recall_lab.retrieval.shipped import frozen_run
from recall_lab.widgets import KappaPaddingView, LabellingDesk

print("Ready.")

# %% [markdown]
# ## Who says that it answers?
#
# The town of Fennick has a library that lends drills, tents and lawn mowers. Its handbook is cut into short
# **[passages](glossary.ipynb#Passage)**. A member asks a **[question](glossary.ipynb#Question)**, and a search box looks for passages
# that answer it. Here are one question, and the two passages that a search for words puts first.

# %%
golden = GoldenDataset.load("library_of_things")
run = frozen_run("keyword")

print(golden.questions["q090"])
for passage_id in run.ranking("q090", 2):
    print()
    print(golden.passages[passage_id].title)
    print(fill(golden.passages[passage_id].text, 78))

# %% [markdown]
# A machine that compares words is happy with both. You aren't: one of them tells what was right some years ago. Whether a passage
# answers a question, a reader has to say. What the reader says is a **[judgment](glossary.ipynb#Judgment)**.
#
# Passages, questions and judgments together are a **[golden dataset](glossary.ipynb#Golden-dataset)**. Without one, nobody can say how
# good a search is. Recall, the measure that this workbook is about, is the share of all answering passages that a search finds; and who
# could count *all that answer*, if nobody has read them?
#
# We have made such a dataset for you. In this lesson you make one of your own, small and real, and the lessons to come measure with
# yours beside ours.

# %% [markdown]
# ## A rubric first
#
# Passages come in shades. So we give each pair of question and passage a **[grade](glossary.ipynb#Grade)**: 2 answers, 1 helps, 0 does
# neither. But where is the border? If you decide that while you read, the twentieth passage is judged by another law than the first. So
# the law is written down before: that is a **[rubric](glossary.ipynb#Rubric)**.
#
# **Write one**, in three or four sentences, for the library's handbook. Think of a passage that holds half an answer, and of the one
# above that was right some years ago.
#
# Put your text between three quotes, `"""like this"""`, in the place of the dots and run the cell. The check then shows you what a good
# rubric says, point by point, each with a letter. You are the judge: write the letters of the points that yours makes into the second
# line, such as `points = "ab"`, and run the cell again.

# %% label="01.rubric" tags=["exercise"]
rubric = ...
points = ""

check("01.rubric", (rubric, points))

# %% label="01.rubric" tags=["solution"]
rubric = """2: send this passage to somebody with the question, and they have the answer, or
one whole piece of it.
1: it gives a part of the answer, or names it in passing, or says what another
edition of the handbook said.
0: the reader is no wiser, however many words question and passage share.
Judge the passage alone, by what it says. Don't guess, and don't use what you know."""
points = "abcd"

# %% [markdown]
# ## Twenty pairs at the desk
#
# Now you label: five questions, twenty pairs. Two rules make it worth something.
#
# **Blind.** The desk shows you no rank, no score and nobody else's grade. You would be surprised how convincing a rank 1 is.
#
# **By one rubric.** The desk has ours, under *Rubric*: a page of it. Read it once and use it, even where you would have written something else,
# because somebody else has used it on the same pairs, and you will be compared. Two people with two rubrics don't disagree. They answer
# different questions.
#
# **Guess first: on how many of the twenty pairs will the other annotator give the same grade as you?** A whole number will do.

# %% label="01.predict_agreement" tags=["exercise"]
guess_of_agreement = ...

predict("01.predict_agreement", guess_of_agreement)

# %% label="01.predict_agreement" tags=["solution"]
guess_of_agreement = 16

# %% [markdown]
# Run the cell, then **click into the desk**: only then do its keys work. **0**, **1**, **2** give a grade, and a grade brings the next
# pair. So where you hesitate, first press **n** and write why; **Enter** saves the note, and then comes the grade. **u** takes
# back, **s** puts off.
#
# (After Shift+Enter the keys still belong to the notebook. If it asks whether to restart the kernel, you weren't in the desk: choose
# *Cancel*, click a passage, go on.)
#
# Ten minutes will do. Some pairs take a second, some deserve a minute. Not every question has an answer.

# %% tags=["nbval-ignore-output"] pairs="20" reason="The desk shows how far you have come, which is kept from one run to the next."
pairs = twenty.pairs()
our_rubric = twenty.ANNOTATION / "rubric.md"

desk = LabellingDesk(pairs, annotator="me", folder=own_folder(), rubric=our_rubric)
desk

# %% [markdown]
# Done? **Write `desk.labels` in the place of the dots.** The check looks only whether every pair has a grade. Which grade is
# your affair.

# %% label="01.label_twenty" tags=["exercise"]
my_labels = ...

check("01.label_twenty", my_labels)

# %% label="01.label_twenty" tags=["solution"]
# One reader's grades, with a note where it was close. Pairs that have a grade already keep it.
my_grades = {
    "q058": {"fee-12": 0, "late-13": 2, "loan-03": 2, "late-08": 2, "care-02": 2},
    "q065": {"care-17": 1, "mend-10": 0, "tip-10": 1, "card-TE-6240": 2},
    "q071": {"care-02": 2, "card-CA-3507": 0, "card-ME-3982": 0, "loan-14": 0},
    "q096": {"old-08": 1, "old-07": 1, "loan-01": 2, "fee-07": 0},
    "q107": {"card-ME-2389": 0, "mend-08": 0, "care-03": 0},
}
my_notes = {
    ("q058", "loan-03"): "each renewal costs as much as a new loan",
    ("q058", "care-02"): "a damp tent costs 10 pounds",
    ("q071", "card-CA-3507"): "must be dry; how long to hang it, it doesn't say",
}
while desk.pair:
    desk.note(my_notes.get(desk.pair.id, ""))
    desk.label(my_grades[desk.pair.query_id][desk.pair.passage_id])

my_labels = desk.labels

# %% [markdown]
# The lesson needs two sets of labels from here on. If yours aren't complete, those of somebody we call annotator A stand in, and the
# next cell says so.
#
# The other side is annotator B. **Neither is a person.** Both are a language model that read our rubric and 400 pairs blind and gave a
# reason for every grade. We call their labels what they are, and we come back to what that means.

# %%
me = twenty.or_annotator_a(desk.labels)
other = twenty.annotator("b")

# %% [markdown]
# ## Count the agreement
#
# Before you look at your own agreement, learn to measure it, on a table that fits on the back of an envelope. Two people judged 20 pairs
# and said only yes or no: it answers, or it doesn't.
#
# | | second says yes | second says no |
# |---|---|---|
# | **first says yes** | 6 | 1 |
# | **first says no** | 3 | 10 |
#
# So they both said yes 6 times, both no 10 times, and differed on the rest. **On which share of the pairs do they agree?** A fraction
# such as `2/5` will do.

# %% label="01.observed" tags=["exercise"]
raw_agreement = ...

check("01.observed", raw_agreement)

# %% label="01.observed" tags=["solution"]
# The two boxes in which they say the same.
raw_agreement = (6 + 10) / 20

# %% [markdown]
# ## What chance would do
#
# That looks good. But how good is it? Imagine two people who don't read at all and throw dice, loaded dice: those of the one say yes to
# half of the pairs, those of the other to one in five. Now and then they agree, for nothing:

# %%
both_yes = 0.5 * 0.2
both_no = 0.5 * 0.8

print(f"both yes {both_yes:.2f}, both no {both_no:.2f}")
print(f"together {both_yes + both_no:.2f}")

# %% [markdown]
# Half of the time, without a word read! So an agreement is worth only what it has beyond that. **For the table above: on which share
# would two such people agree by chance**, if each keeps their own habit of saying yes? Add up the rows and columns first: how often did the first
# say yes, and how often the second?

# %% label="01.by_chance" tags=["exercise"]
chance_agreement = ...

check("01.by_chance", chance_agreement)

# %% label="01.by_chance" tags=["solution"]
# The first said yes 7 times of 20, the second 9 times.
chance_agreement = 7 / 20 * 9 / 20 + 13 / 20 * 11 / 20

# %% [markdown]
# ## Cohen's kappa
#
# Now put the two together. Chance brings you part of the way for nothing. Of the way that is left, how much did they walk?
#
# $$\kappa \;=\; \frac{\text{raw agreement} - \text{agreement by chance}}{1 - \text{agreement by chance}}$$
#
# This is **[Cohen's kappa](glossary.ipynb#Kappa)**. It is 1 where two people always agree, 0 where they do no better than dice, and below
# 0 where they do worse.
#
# **What is the kappa of the table?** Type the whole fraction and let Python do it. Mind the brackets.

# %% label="01.kappa_by_hand" tags=["exercise"]
kappa = ...

check("01.kappa_by_hand", kappa)

# %% label="01.kappa_by_hand" tags=["solution"]
kappa = (raw_agreement - chance_agreement) / (1 - chance_agreement)

# %%
observed = 16 / 20
by_chance = 7 / 20 * 9 / 20 + 13 / 20 * 11 / 20

print(f"raw agreement {observed:.3f}, by chance {by_chance:.3f}")
print(f"kappa         {(observed - by_chance) / (1 - by_chance):.3f}")

# %% [markdown]
# An agreement of .80 shrinks to a kappa of .588, since chance alone brings .515.
#
# You will meet tables that call such a number "moderate" or "substantial". They go back to two authors, Landis and Koch, who called
# their own borders "clearly arbitrary". Report the number and the pairs it comes from, and leave the adjective out.

# %% [markdown]
# ### When kappa is undefined
#
# Suppose both say no to everything. Chance agrees every time too, so nothing is left to divide by. Kappa is then not 1 and not 0.
# There is no such number, and an honest function returns `None`.

# %% [markdown]
# ## Kappa in code
#
# **Write it as a function.** `first` and `second` are lists of labels, in the same order. The labels may be 1 and 0, or words, or grades, so
# go over all the different ones that are there: `set(first)` holds each of them once. Return `None` where chance alone always agrees. (This
# is the longest piece of Python here. The third hint is a frame with blanks to fill.)


# %% label="01.cohen_kappa" tags=["exercise"]
def my_kappa(first, second):
    """Cohen's kappa of two lists of labels; None where chance alone always agrees."""
    ...


check("01.cohen_kappa", my_kappa)


# %% label="01.cohen_kappa" tags=["solution"]
def my_kappa(first, second):
    """Cohen's kappa of two lists of labels; None where chance alone always agrees."""
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum(first.count(label) / n * second.count(label) / n for label in set(first))
    return None if chance == 1 else (observed - chance) / (1 - chance)


# %%
my_kappa = yours_or_ours("01.cohen_kappa", my_kappa)

# %% [markdown]
# ### You and the second annotator
#
# And now the real thing. Your grades are the rows, those of annotator B the columns. Where you agree stands on the diagonal.

# %%
agreement = Agreement(me, other)

print(agreement.n - len(agreement.disagreements), "of", agreement.n, "pairs with the same grade")
print("you guessed", "nothing" if guess_of_agreement is ... else guess_of_agreement)
agreement.confusion()

# %%
mine = [me.grades[pair.id] for pair in pairs]
theirs = [other.grades[pair.id] for pair in pairs]

my_yes, their_yes = ([grade == 2 for grade in grades] for grades in (mine, theirs))

print(f"kappa on three grades:    {my_kappa(mine, theirs):.3f}")
print(f"kappa on relevant or not: {my_kappa(my_yes, their_yes):.3f}")

# %% [markdown]
# The pairs on which you differ come up in a moment.
#
# The two kappas ask different things. With three grades, kappa counts every difference alike: 0 against 2 is no worse than 1 against 2.
# (There is a *weighted* kappa that minds how far apart two grades are.) For recall only one border matters, that of relevant.

# %% [markdown]
# ### What the number hangs on
#
# Annotators A and B read 400 pairs. Here is their kappa on all of them, and on your twenty. (You need not read the code, only run it.)

# %%
a, b = (pd.read_csv(twenty.ANNOTATION / f"annotator_{letter}.csv")["grade"] for letter in "ab")

print(f"on all {len(a)} pairs, of which {sum(a != b)} differ: kappa {my_kappa(list(a), list(b)):.3f}")
print("on your pairs:", Agreement(twenty.annotator("a"), twenty.annotator("b")))

# %% [markdown]
# The same two annotators, the same rubric. We chose your twenty so that there would be something to talk about, and put in 4 of the
# 7 pairs on which the two differ. So kappa is not a property of annotators. It is about these annotators **on these pairs**.
#
# And .971 is too good to be true in another sense. A and B are two runs of one kind of model. They share their reading habits, and where
# one misreads, so may the other.
#
# **What does a kappa tell?** Put `"tells"` or `"cannot tell"` in the place of the dots.

# %%
task("01.what_kappa_tells")

# %% label="01.what_kappa_tells" tags=["exercise"]
labels = {
    "same grades": ...,
    "right labels": ...,
    "above dice": ...,
    "hard pairs": ...,
    "two minds": ...,
    "enough questions": ...,
}

check("01.what_kappa_tells", labels)

# %% label="01.what_kappa_tells" tags=["solution"]
labels = {
    "same grades": "tells",
    "right labels": "cannot tell",
    "above dice": "tells",
    "hard pairs": "cannot tell",
    "two minds": "cannot tell",
    "enough questions": "cannot tell",
}

# %% [markdown]
# ## See it move
#
# A manager wants a better kappa than .588. Nobody has time to talk about the 4 pairs in question. But there are plenty of pairs on which
# nobody could differ, such as a question about tents and the card of a telescope. What if we add some of those, each called not relevant
# by both?
#
# **Guess first: what will kappa do?** `"rises"`, `"stays"` or `"falls"`?

# %% label="01.predict_padding" tags=["exercise"]
my_guess = ...

predict("01.predict_padding", my_guess)

# %% label="01.predict_padding" tags=["solution"]
my_guess = "rises"

# %% [markdown]
# Here is the table from above. Drag the slider to the right, slowly at first: most of it happens in the first tenth. By keyboard, go to it
# with **Tab**; an arrow adds one pair, **Page Up** many, **End** all. Watch the last of the four numbers as well.

# %%
first = [1] * 6 + [0] * 10 + [1] * 1 + [0] * 3
second = [1] * 6 + [0] * 10 + [0] * 1 + [1] * 3

KappaPaddingView(first, second, most=980)

# %% [markdown]
# So the answer was `"rises"`. At 980 easy pairs kappa is .748, and raw agreement is nearly perfect. **Nothing got better.** The pairs on which the two differ are
# the same, they still differ, and the next search will be judged by them.
#
# It works with any labels, also with yours:

# %%
for easy in [0, 20, 100, 980]:
    padded = my_kappa(mine + [0] * easy, theirs + [0] * easy)
    print(f"your twenty and {easy:3} easy ones: kappa {padded:.3f}")

# %% [markdown]
# So a kappa needs two companions: how many pairs, and how they were chosen. Ours were drawn on purpose: some that answer, some that
# nearly do, some that a search brought up for nothing. (The data set's datasheet tells it in full. In a cell of your own,
# `print((twenty.ANNOTATION.parent / "DATASHEET.md").read_text(encoding="utf-8"))` shows it.)

# %% [markdown]
# ## Settle the disagreements
#
# Back to the pairs on which you and annotator B differ. These are the valuable ones: each shows a place where the rubric is silent, or
# where one of you overlooked a word.

# %%
twenty.print_differences(agreement)

if len(agreement.disagreements) < 2:
    print("You two agree so well that there is little to settle. How would you decide these,")
    print("on which annotators A and B differ? Nobody checks it.\n")
    twenty.print_differences(Agreement(twenty.annotator("a"), other))

# %% [markdown]
# Now somebody has to **[adjudicate](glossary.ipynb#Adjudication)**: give each of these pairs a final grade, with the reason. Usually that
# is a third reader. Today it is you, so be as fair as if the first grade weren't yours. Splitting the difference is no
# reason, and being in the majority isn't either.
#
# This cell prints lines to copy.

# %%
print("decisions = {")
for one in agreement.disagreements:
    print(f'    {one.pair}: (..., "because ..."),')
print("}")

# %% [markdown]
# **Decide each pair.** Put the lines in the place of the next cell's first line, and write a grade and a reason into each. (If you agree
# on everything, write `decisions = {}`.)

# %% label="01.adjudicate" tags=["exercise"]
decisions = ...

check("01.adjudicate", (agreement, decisions))

# %% label="01.adjudicate" tags=["solution"]
decisions = {
    ("q058", "loan-03"): (2, "Renewing is its subject, and it states in full what that costs on top."),
    ("q058", "care-02"): (1, "The charge for a damp tent is one clause in a passage about drying."),
    ("q071", "card-CA-3507"): (0, "The question is how long; that it must be dry the asker knows."),
}

# %% [markdown]
# The first labels are not touched. They are the evidence of how far two readers agreed **before they talked**, and a label that is changed
# afterwards is evidence of nothing. If many pairs differ for one reason, mend the rubric, and let somebody fresh label anew.

# %%
settled = twenty.settled_or_lower(agreement, decisions)

# %% [markdown]
# ## Your golden dataset
#
# Everything is there: the passages of the handbook, your five questions, and a final grade for each of your pairs.

# %%
my_questions = {pair.query_id: pair.question for pair in pairs}
my_judgments = as_judgments(settled)

for question_id, grades in my_judgments.items():
    print(question_id, grades)

# %% [markdown]
# **Make the dataset and save it.** `GoldenDataset(passages, questions, judgments, min_grade=…)` makes one. The passages are those of the
# handbook, `golden.passages`; questions and judgments are yours, `my_questions` and `my_judgments`. `min_grade` is the grade from which a
# passage counts as **[relevant](glossary.ipynb#Relevant)**: think of what the grades mean before you choose it. Saving is a line of its own:
# take away the `#` in front of it.

# %% label="01.golden_dataset" tags=["exercise"]
my_golden = ...
# my_golden.save(own_folder())

check("01.golden_dataset", my_golden)

# %% label="01.golden_dataset" tags=["solution"]
# Relevant means that it answers: grade 2. All judgments go in, the zeros too.
my_golden = GoldenDataset(golden.passages, my_questions, my_judgments, min_grade=2)
my_golden.save(own_folder())

# %% [markdown]
# It lies in the folder `my_golden_dataset` beside this notebook, in a layout named after BEIR, a well-known collection of such datasets:
# `corpus.jsonl` holds the passages, `queries.jsonl` the questions, `qrels/test.tsv` the judgments. Many tools that measure search
# read it. No update and no reset of the lessons ever touches that folder.

# %% [markdown]
# ### Read it with other eyes
#
# Before anything is measured with a dataset, have it looked over. The next cell loads yours from the disk. If there is none yet, it says
# so, and takes ours.

# %%
yours = own_golden(golden)
yours.validate(k=5)

# %% [markdown]
# Read it from the top. A *problem* would make measuring go wrong. *Worth a look* may be quite right, but somebody should have looked; one
# of the lines is about a question without a relevant passage. *Facts* are what you would tell a colleague: how many questions, how many
# relevant passages for each (that number is called R, and we come to it next), how the grades are spread.

# %% [markdown]
# ### A question that nothing answers
#
# How many relevant passages a question has is called **[R](glossary.ipynb#R)**. Count yours:

# %%
for question_id, text in my_questions.items():
    print(f"R = {len(yours.relevant(question_id)):2}   {text}")

# %% [markdown]
# The library has no 3D printer. So R = 0 for that question, and it stays in. It says something true about the handbook, and members will
# ask it. Its judgments of grade 0 are worth keeping: they say that somebody looked, and where.
#
# You looked at three passages. Is that enough to say that *nothing* answers? Hardly. We can say so only because the handbook
# was made up, with a list of all that is in it. In earnest you would search for an answer in several ways first, and note that you did.

# %% [markdown]
# ## Your dataset judges a search
#
# Time to use it. `run` holds what the search for words returns for every question. How many of the relevant passages are among its
# first ten results, by your judgments and by ours? (That share is the recall at 10, and lesson 02 is about it. As long as you have no
# dataset of your own, both columns are ours.)


# %%
def found(dataset, question_id):
    """How many of the relevant passages are among the first ten results."""
    relevant = dataset.relevant(question_id)
    return f"{len(relevant & set(run.ranking(question_id, 10)))} of {len(relevant)}"


print(f"{'':56}{'yours':>8}{'ours':>10}")
for question_id, text in my_questions.items():
    print(f"{text:56}{found(yours, question_id):>8}{found(golden, question_id):>10}")

# %% [markdown]
# And the mean over the questions that have an answer, with the share of the first ten results that somebody has judged:

# %%
our_judgments = {question_id: golden.judgments[question_id] for question_id in my_questions}
ours = GoldenDataset(golden.passages, my_questions, our_judgments, min_grade=2)


def report(name, dataset):
    e = evaluate(dataset, run)
    print(f"{name:21} recall@10 {e.recall(10):.3f}, {e.n:3} questions, {e.judged(10):.0%} of the ten judged")


report("yours", yours)
report("ours, your questions", ours)
report("ours, all questions", golden)

# %% [markdown]
# Compare how many there are to find. Yours are fewer, because you judged a handful of passages and the handbook has hundreds. A passage
# that nobody has judged counts as not relevant, however well it answers. So your recall is a share of the relevant passages **among those
# you judged**, and it can come out higher or lower than ours for that reason alone. The last column gives it away: of the first ten
# results, ours has judged all and yours few.
#
# That is no flaw of yours. Every golden dataset ends somewhere, ours as well. What matters is to know where, and to say it.

# %% [markdown]
# ## As much care as the metric
#
# You will spend the rest of this workbook on measures. Don't forget on what they stand. A question set deserves four questions of its own:
#
# - **How many questions?** One of yours is a quarter of your mean. That is fine for learning and useless for comparing two searches.
# - **From whom?** Ours were invented to show something. No member ever asked them, so they say nothing about what members ask.
# - **Who labels?** Say it, and how far two of them agreed, on which pairs. A language model may label; then it says so beside the number.
# - **How does it stay honest?** When the handbook changes, some judgments go stale, and nobody is told: judge again what changed. And
#   whoever tunes a search on these questions must not grade it with them.

# %%
answerable = [question_id for question_id in golden.judgments if golden.relevant(question_id)]

print(f"ours: {len(golden.judgments)} questions, {len(answerable)} of them with an answer")

# %% [markdown]
# ## Checkpoint
#
# Answer with a letter and a number, such as `"a1"`.

# %%
task("01.nothing_relevant")

# %% label="01.nothing_relevant" tags=["exercise"]
answer = ...

check("01.nothing_relevant", answer)

# %% label="01.nothing_relevant" tags=["solution"]
answer = "b2"

# %% [markdown]
# ## Where this goes wrong in practice
#
# A company has its search judged by two people, on pairs that the search itself brought up. Kappa is .588. "Too low", says
# the report template, so the sample is enlarged by pairs drawn at random from all documents. Nearly all of these are plainly off topic. Kappa is
# now .748, the box is ticked, and a year of decisions rests on the labels.
#
# The pairs that decide whether search A beats search B are the debatable ones. Those were never talked about. An hour of reading the
# disagreements aloud would have mended the rubric; the thousand easy pairs mended the number.

# %%
print(f"20 pairs: {my_kappa(first, second):.3f}")
print(f"with 980 easy ones: {my_kappa(first + [0] * 980, second + [0] * 980):.3f}")

# %% [markdown]
# ## One sentence to take away
#
# **A golden dataset is somebody's judgment, written down: say whose, by which rubric, on which pairs, and how far two readers agreed
# before they talked.**
#
# Next: [02 · Recall by hand](02_recall_by_hand.ipynb), where your judgments become the bottom of a fraction.
