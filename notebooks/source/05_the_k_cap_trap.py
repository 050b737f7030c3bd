# %% [markdown]
# # 05 · The k-cap trap
#
# **You will be able to** state a recall together with its ceiling, recognise a reported recall that is impossible, and
# say what you must know before you call a recall good or bad.
#
# **Time:** about {minutes} minutes, [an estimate](start.ipynb#The-lessons). **Builds on:**
# [02 · Recall by hand](02_recall_by_hand.ipynb).

# %%
import matplotlib.pyplot as plt

from recall_lab import GoldenDataset, achievable_recall_at_k, capped_recall_at_k, evaluate, recall_at_k
from recall_lab.exercises import another, check, hint, own_golden, predict, reveal, task, yours_or_ours
from recall_lab.retrieval.keyword import KeywordRetriever
from recall_lab.widgets import KCapMixerView

print("Ready.")

# %% [markdown]
# ## A number on a slide
#
# A slide says: *our search reaches a recall@10 of 95 %*. The small print says that the test questions are broad: each of them
# has 100 relevant passages.
#
# **Do you believe it?** Write `"yes"` or `"no"`, on instinct.

# %% label="05.predict_report" tags=["exercise"]
my_guess = ...

predict("05.predict_report", my_guess)

# %% label="05.predict_report" tags=["solution"]
my_guess = "no"

# %% [markdown]
# **Now with a pencil.** R = 100 and k = 10. Suppose that the search is perfect and fills all ten places with relevant passages.
# **What is its recall@10?**

# %% label="05.impossible" tags=["exercise"]
best_possible = ...

check("05.impossible", best_possible)

# %% label="05.impossible" tags=["solution"]
# Ten of the hundred. No search can do better with ten places.
best_possible = 10 / 100

# %% [markdown]
# So whatever the slide shows, it isn't recall@10. Perhaps it is precision, perhaps hit rate, perhaps a recall that was divided
# by something smaller. You can't tell which, but you can tell that the name is wrong, and it took you one division.

# %%
print(f"claimed {95 / 100:.2f}, possible at most {achievable_recall_at_k(100, k=10):.2f}")

# %% [markdown]
# ## When k is too small
#
# A question with more relevant passages than places can't be answered in full. The best recall that any search could reach is
# the **[ceiling](glossary.ipynb#Ceiling)**:
#
# $$\text{ceiling@}k \;=\; \frac{\min(k, R)}{R}$$
#
# As long as R is at most k, the ceiling is 1 and you may forget about it. Beyond that it sinks.

# %%
for how_many in [1, 5, 10, 15, 40]:
    print(f"R = {how_many:2}   ceiling@10 = {achievable_recall_at_k(how_many, k=10):.3f}")

# %% [markdown]
# **What is the ceiling@10 of a question with R = 20?**

# %% label="05.ceiling_one" tags=["exercise"]
ceiling_at_10 = ...

check("05.ceiling_one", ceiling_at_10)

# %% label="05.ceiling_one" tags=["solution"]
# Ten places for twenty passages.
ceiling_at_10 = 10 / 20

# %% [markdown]
# ### The ceiling is a recall
#
# It isn't a new kind of number. It is the recall of a perfect search: rank all relevant passages first, then measure as
# always. So it divides by R, as recall does, and it never passes 1.

# %%
relevant = {f"relevant {i}" for i in range(1, 16)}
perfect = sorted(relevant) + ["something else"] * 10

print("recall@10 of the perfect list:", round(recall_at_k(perfect, relevant, 10), 3))
print("ceiling@10 by the formula:    ", round(achievable_recall_at_k(15, k=10), 3))

# %% [markdown]
# ### The ceiling is about what exists
#
# The R in the formula counts every relevant passage that exists, found or not. Suppose a search found 6 of 15. Its ceiling@10 is
# still 10/15. The ceiling describes the question and the k. It knows nothing of your search.

# %% [markdown]
# ## Many questions
#
# The ceiling of a set is the mean of its questions' ceilings. Take two questions, one with R = 2 and one with R = 30.
#
# **What is their mean ceiling@10?**

# %% label="05.ceiling_mean" tags=["exercise"]
mean_ceiling_at_10 = ...

check("05.ceiling_mean", mean_ceiling_at_10)

# %% label="05.ceiling_mean" tags=["solution"]
# The small question could be answered in full, a third of the large one fits.
mean_ceiling_at_10 = (2 / 2 + 10 / 30) / 2

# %% [markdown]
# Two thirds, for a search without any fault. Such a mean tells you about the questions, not about the search.
#
# **Write it as a function.** `relevant_counts` is a list with the R of each question, such as `[2, 30]`. A question with R = 0 has no ceiling and
# is left out; if none is left, return `None`.


# %% label="05.achievable_recall_at_k" tags=["exercise"]
def my_ceiling(relevant_counts, k):
    """Mean of min(k, R) / R over the questions with R > 0; None where there is none."""
    ...


check("05.achievable_recall_at_k", my_ceiling)


# %% label="05.achievable_recall_at_k" tags=["solution"]
def my_ceiling(relevant_counts, k):
    """Mean of min(k, R) / R over the questions with R > 0; None where there is none."""
    ceilings = [min(k, R) / R for R in relevant_counts if R > 0]
    return sum(ceilings) / len(ceilings) if ceilings else None


# %%
my_ceiling = yours_or_ours("05.achievable_recall_at_k", my_ceiling)

# %% [markdown]
# ## See it move
#
# In a moment you will mix a set of ten questions, all answered by a **perfect** search. At first every question has two
# relevant passages. Then you replace some of them by broad questions with 30.
#
# **Guess first: what happens to the mean recall@10 of the perfect search?** `"rises"`, `"stays"` or `"falls"`?

# %% label="05.predict_mixer" tags=["exercise"]
my_guess = ...

predict("05.predict_mixer", my_guess)

# %% label="05.predict_mixer" tags=["solution"]
my_guess = "falls"

# %%
KCapMixerView(k=10, many=0, large=30, small=2, questions=10)

# %% [markdown]
# Move *Questions with a large R* first, then *Large R*, then k. The search stays perfect all the time. Only the questions change, and "recall"
# falls as if something were broken. Now raise k until it is 1 again: how far did you have to go?
#
# This is the **k-cap trap**: a recall that is held down by k is read as a recall held down by the search.

# %% [markdown]
# ### The ceiling as a curve
#
# Draw it once for the hand sheet of lesson 02, which has R = 4, 4, 20, 0 and 1. **Plot the mean ceiling for k = 1 to 20** with
# matplotlib, with both axes labelled, and hand over the figure. `my_ceiling(sheet_counts, k)` gives you each point. If you are new to
# matplotlib: `figure, axes = plt.subplots()` makes an empty figure, `axes.plot(x_values, y_values)` draws a line,
# `axes.set_xlabel("…")` and `axes.set_ylabel("…")` name the axes.

# %% label="05.ceiling_curve" tags=["exercise"]
sheet_counts = [4, 4, 20, 0, 1]
figure = ...

check("05.ceiling_curve", figure)

# %% label="05.ceiling_curve" tags=["solution"]
sheet_counts = [4, 4, 20, 0, 1]
cutoffs = range(1, 21)

figure, axes = plt.subplots()
axes.plot(cutoffs, [achievable_recall_at_k(sheet_counts, k) for k in cutoffs], marker="o")
axes.set_xlabel("cutoff k")
axes.set_ylabel("ceiling: the best possible mean recall")
axes.set_xticks([1, 4, 5, 10, 15, 20])

# %% [markdown]
# The same curve in numbers:

# %%
for k in (1, 2, 3, 4, 5, 10, 15, 20):
    print(f"k = {k:2}   ceiling {achievable_recall_at_k(sheet_counts, k):.4f}")

# %% [markdown]
# It climbs fast to k = 4, where the two questions with R = 4 are full, and then crawls: only the question with R = 20 still gains.
# It reaches 1 at k = 20.

# %% [markdown]
# ## A score beside its ceiling
#
# A search finds 1 of 2 in the top 10 for one question, and 9 of 30 for another. How good is that?

# %%
recalls = [1 / 2, 9 / 30]
ceilings = [2 / 2, 10 / 30]

print(f"mean recall@10  {sum(recalls) / 2:.3f}")
print(f"mean ceiling@10 {sum(ceilings) / 2:.3f}")

# %% [markdown]
# Report these two together and nobody is fooled.
#
# ### The ratio of the means
#
# It is tempting to go on and divide the first by the second.
#
# **What is mean recall divided by mean ceiling?**

# %% label="05.ratio_of_means" tags=["exercise"]
ratio_of_means = ...

check("05.ratio_of_means", ratio_of_means)

# %% label="05.ratio_of_means" tags=["solution"]
ratio_of_means = ((1 / 2 + 9 / 30) / 2) / ((2 / 2 + 10 / 30) / 2)

# %% [markdown]
# ### Capped recall
#
# You may also divide question by question: hits over min(k, R), the most that would fit. That is
# **[capped recall](glossary.ipynb#Capped-recall)**.
#
# **What is the mean capped recall@10 of the two questions?**

# %% label="05.capped_mean" tags=["exercise"]
mean_capped_recall = ...

check("05.capped_mean", mean_capped_recall)

# %% label="05.capped_mean" tags=["solution"]
# 1 of the 2 that fit, 9 of the 10 that fit.
mean_capped_recall = (1 / 2 + 9 / 10) / 2

# %% [markdown]
# The two results differ: a ratio of means is not a mean of ratios. Capped recall is a respectable measure. It asks how well the
# places were used. But it is **another measure than recall**, and it must be reported under its own name. If it is printed as
# "recall", a reader believes that nearly everything was found:

# %%
found_nine = [f"relevant {i}" for i in range(1, 10)] + ["something else"]
all_thirty = {f"relevant {i}" for i in range(1, 31)}

print("recall@10:       ", recall_at_k(found_nine, all_thirty, 10))
print("capped recall@10:", capped_recall_at_k(found_nine, all_thirty, 10))

# %% [markdown]
# ## On real text
#
# How bad is it in the library of things? We search for all questions and look at two kinds of them side by side. A *paraphrase* question
# says in other words what a passage says. A *list* question asks for **all** of something.

# %%
golden = GoldenDataset.load("library_of_things")
run = KeywordRetriever(golden.passages).run(golden.questions, depth=50)
evaluation = evaluate(golden, run)

print(f"all questions: recall@5 {evaluation.recall(5):.3f}, ceiling@5 {evaluation.ceiling(5):.3f}")
evaluation.slices(5).loc[["paraphrase", "list"], ["n", "recall", "ceiling"]].round(3)

# %% [markdown]
# Compare the rows (`n` is the number of questions). Read the recall alone and the search is about as poor at one as at the other. Read it
# beside the ceiling and they are two different stories. For paraphrases everything could have been found, and little was. For lists a
# perfect search would not have reached half of it in five places.
#
# Here is the R of each list question.

# %%
list_ids = [q for q, kind in golden.question_types.items() if kind == "list"]
relevant_counts = [len(golden.relevant(q)) for q in list_ids]

print(sorted(relevant_counts))

# %% [markdown]
# **What is the mean ceiling@10 of these questions?** The table above was for k = 5. The list `relevant_counts` and your function
# `my_ceiling` are ready.

# %% label="05.list_slice" tags=["exercise"]
list_ceiling_at_10 = ...

check("05.list_slice", list_ceiling_at_10)

# %% label="05.list_slice" tags=["solution"]
list_ceiling_at_10 = achievable_recall_at_k(relevant_counts, 10)

# %% [markdown]
# ### The ceiling of your own questions
#
# If you made a golden dataset in [lesson 01](01_build_a_golden_dataset.ipynb), here is the same search on your questions.

# %% tags=["nbval-ignore-output"] reason="Every learner's own dataset gives other numbers."
own = own_golden(golden)
mine = evaluate(own, run)

print("largest R:", max(len(own.relevant(question)) for question in own.judgments))
print(f"recall@5 {mine.recall(5):.3f}, ceiling@5 {mine.ceiling(5):.3f}")

# %% [markdown]
# With your own, the ceiling is 1: no question has more than five relevant passages, although one of them asks for *everything* that can
# cost money. A small R can mean a narrow question. It can also mean that only a handful of passages were judged.

# %% [markdown]
# ### Does the trap spoil every number?
#
# You will hear that it invalidates most recall numbers. It doesn't. Where every question has one relevant passage there is no cap
# at any k, and many public question sets are like that. The table above shows both worlds in one data set. So don't
# distrust every recall; **ask for the ceiling**, and you know.

# %% [markdown]
# ## Where recall comes first
#
# A high recall at a large k costs reading time, tokens or money. Is it worth it? That depends on what a miss costs, and whether
# the person can ask again. Sort these six: put `"recall first"` or `"less so"` in the place of the dots.

# %%
task("05.where_recall_first")

# %% label="05.where_recall_first" tags=["exercise"]
labels = {
    "legal discovery": ...,
    "drug interactions": ...,
    "prior art": ...,
    "web search": ...,
    "voice assistant": ...,
    "recommendations": ...,
}

check("05.where_recall_first", labels)

# %% label="05.where_recall_first" tags=["solution"]
labels = {
    "legal discovery": "recall first",
    "drug interactions": "recall first",
    "prior art": "recall first",
    "web search": "less so",
    "voice assistant": "less so",
    "recommendations": "less so",
}

# %% [markdown]
# ## Checkpoint
#
# Pick one letter and one number, and write both in one pair of quotes, such as `"a1"`.

# %%
task("05.good_or_bad")

# %% label="05.good_or_bad" tags=["exercise"]
answer = ...

check("05.good_or_bad", answer)

# %% label="05.good_or_bad" tags=["solution"]
answer = "c2"

# %% [markdown]
# And in your own words. Put your text between three quotes, `"""like this"""`, and run the cell: the check shows you the
# points of a good argument. Then you are the judge. Write the letters of the points that you made into `points`, and run it again.

# %%
task("05.defend")

# %% label="05.defend" tags=["exercise"]
argument = ...
points = ""

check("05.defend", (argument, points))

# %% label="05.defend" tags=["solution"]
argument = """Our .62 stands beside a ceiling of .71, because some of our questions have more
relevant passages than ten places can hold. What is the ceiling of the competitors' questions?
Without it, their .9 and our .62 don't compare. Divided by the ceiling ours is .87, but that is
another measure than recall."""
points = "abcd"

# %% [markdown]
# ## Where this goes wrong in practice
#
# Two teams compare their searches, each on its own questions. One reports a recall@10 of .62, the other of .70, and the company
# buys from the second. Nobody asked for the ceilings. The first team's questions were broad, with a ceiling of .71; the other's had
# one answer each, with a ceiling of 1.

# %%
print(f"first team:  {0.62 / 0.71:.0%} of what was possible")
print(f"second team: {0.70 / 1:.0%} of what was possible")

# %% [markdown]
# Even that isn't the last word, since the questions differ. The right comparison is the plain one: both searches on the **same
# questions**, with the ceiling beside the scores.
#
# Researchers meet the trap as well. TREC-COVID is a well-known set of questions about the pandemic, with hundreds of relevant
# articles for each. Published results (quoted here, not computed) give plain keyword search a recall@100 of .109. That looks
# like a disaster, until you learn that the ceiling is .267.

# %%
print(f"TREC-COVID, k = 100: {0.109:.3f} of {0.267:.3f}, or {0.109 / 0.267:.0%} of what was possible")

# %% [markdown]
# ## One sentence to take away
#
# **A recall@k is read beside its ceiling, never beside 1: ask what was possible before you ask how good it is.**
#
# Next: [06 · Macro, micro, hit rate](06_macro_micro_hit_rate.ipynb), where two searches swap places and nobody touched them.
