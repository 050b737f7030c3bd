# %% [markdown]
# # 04 · Recall curves
#
# **You will be able to** draw recall@k over k with everything that makes it readable, say why a curve is flat, state with a
# stop rule how deep is deep enough, and wire a slider to a figure of your own.
#
# **Time:** about {minutes} minutes, [an estimate](start.ipynb#The-lessons). **Builds on:**
# [02 · Recall by hand](02_recall_by_hand.ipynb) and [03 · Recall in code](03_recall_in_code.ipynb).

# %%
from io import BytesIO
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import HTML, Image, SelectionSlider, VBox
from matplotlib.figure import Figure

from recall_lab import GoldenDataset, evaluate
from recall_lab.exercises import another, check, hint, own_golden, predict, reveal, task, yours_or_ours
from recall_lab.exercises.lesson_04 import SIZES, thinned
from recall_lab.figures import recall_curve
from recall_lab.retrieval.shipped import frozen_run
from recall_lab.simulation import expected_recall, strength_for
from recall_lab.statistics import bootstrap_curve
from recall_lab.widgets import RecallCurveView

print("Ready.")

# %% [markdown]
# ## How deep is deep enough?
#
# The search box at Fennick's library shows ten results. A volunteer at the counter asks: *would twenty have been better?* One
# recall@10 can't tell her. It is a single point, and her question is about all the others.
#
# So we look at every k at once.

# %% [markdown]
# ### One question is a staircase
#
# Take the question you know from lesson 02. R = 4, and the search finds relevant passages at ranks 2, 5 and 9. The fourth it never
# finds.
#
# A colleague reads down the list with you. From rank 5 to rank 8 recall stands still. "That was all," he says, "the curve has
# stopped." **Is he right?** Write `"yes"` or `"no"`.

# %% label="04.predict_flat" tags=["exercise"]
my_guess = ...

predict("04.predict_flat", my_guess)

# %% label="04.predict_flat" tags=["solution"]
my_guess = "no"

# %% [markdown]
# **Draw it.** First on paper: write down recall@1, recall@2 and so on to recall@10. Then type your ten numbers into a list and let
# matplotlib draw them. If it is new to you:
#
# - `figure, axes = plt.subplots()` makes an empty figure,
# - `axes.step(x_values, y_values, where="post")` draws steps, which begin where k does,
# - `axes.set_xlabel("…")` and `axes.set_ylabel("…")` name the axes, in your words.
#
# The figure appears below the cell by itself. `plt.show()` is not needed.

# %% label="04.staircase" tags=["exercise"]
cutoffs = range(1, 11)
figure = ...

check("04.staircase", figure)

# %% label="04.staircase" tags=["solution"]
cutoffs = range(1, 11)
recalls = [0, 1 / 4, 1 / 4, 1 / 4, 2 / 4, 2 / 4, 2 / 4, 2 / 4, 3 / 4, 3 / 4]

figure, axes = plt.subplots(figsize=(6.4, 3.2))
axes.step(cutoffs, recalls, where="post", marker="o")
axes.set_xlabel("cutoff k")
axes.set_ylabel("recall@k")
axes.set_xticks(cutoffs)
axes.set_ylim(0, 1)

# %% [markdown]
# In words, to compare with what you drew:

# %%
for k, recall in [(1, 0 / 4), (2, 1 / 4), (4, 1 / 4), (5, 2 / 4), (8, 2 / 4), (9, 3 / 4), (10, 3 / 4)]:
    print(f"k = {k:2}   recall {recall:.2f}")

# %% [markdown]
# A **staircase**: it jumps by 1/R at each hit and is flat in between. The flat stretch from 5 to 8 was the tread of a stair. At 9 the
# curve goes up again, so the answer was `"no"`. And nothing in the flat stretch itself gave that away.

# %% [markdown]
# ## The curve of a set
#
# Now real searches, on all questions of the handbook. To be exact on every machine we use **frozen runs**: ranked lists that were
# made once and are kept with the data. Two searches to begin with.
#
# - **Keyword search** compares words, as in the lessons before.
# - **[Vector search](glossary.ipynb#Vector-search)** turns texts into lists of numbers, so that texts of like meaning lie close
#   together. It ranks *every* passage, from the closest to the farthest.

# %%
golden = GoldenDataset.load("library_of_things")
keyword_run, vector_run = frozen_run("keyword"), frozen_run("wordllama")
keyword, vector = evaluate(golden, keyword_run), evaluate(golden, vector_run)

print(len(golden.passages), "passages,", keyword.n, "questions with an answer")

# %% [markdown]
# `curve(k_max)` returns mean recall@k for k = 1, 2, … up to k_max, in one go. Mind the counting: Python's first position is 0, so
# recall@k stands at position k − 1.

# %%
curve = keyword.curve(50)

print("recall@10:     ", round(keyword.recall(10), 4))
print("curve[10 - 1]: ", round(curve[10 - 1], 4))
print("curve[10]:     ", round(curve[10], 4), " is recall@11")

# %% [markdown]
# A curve alone is hard to judge. Is .457 at k = 10 a lot? Two other lines tell: what the best possible search would reach, and what
# no search at all would. The first is the ceiling, which you know from lesson 02. The second is new.
#
# ### A random order
#
# Shuffle all N passages of the handbook and read the first k. **What recall@50 do you expect, on average, with N = 600?** The question
# has R = 6.

# %% label="04.random" tags=["exercise"]
random_recall_at_50 = ...

check("04.random", random_recall_at_50)

# %% label="04.random" tags=["solution"]
# Each relevant passage has 50 chances in 600 to lie among the first 50, whatever R is.
random_recall_at_50 = 50 / 600

# %% [markdown]
# So the line of a random order is **k/N**. Our handbook is small, and that makes chance look good: a shuffled pile already finds 8 %
# of everything in its top 50. In a large corpus you can't even see that line. (Hold on to the thought; we come back to it.)

# %%
print(f"{50 / 600:.1%}")

# %% [markdown]
# ### All three in one picture
#
# **Draw mean recall@k of the keyword search for k = 1 to 50, with the ceiling and k/N**, three lines in one figure, both axes named.
# You have the parts: `keyword.curve(50)`, `keyword.curve(50, "ceiling")`, and a division of each k, `[k / 600 for k in cutoffs]`.
# `axes.plot(x_values, y_values, label="…")` draws a line, and `axes.legend()` shows the labels.

# %% label="04.set_curve" tags=["exercise"]
cutoffs = range(1, 51)
figure = ...

check("04.set_curve", figure)

# %% label="04.set_curve" tags=["solution"]
cutoffs = range(1, 51)

figure, axes = plt.subplots(figsize=(6.4, 3.8))
axes.plot(cutoffs, keyword.curve(50), "-", label="keyword search")
axes.plot(cutoffs, keyword.curve(50, "ceiling"), "--", label="ceiling")
axes.plot(cutoffs, [k / 600 for k in cutoffs], ":", label="random order, k/N")
axes.set_xlabel("cutoff k")
axes.set_ylabel("mean recall@k")
axes.set_ylim(0, 1.02)
axes.legend()

# %% [markdown]
# The same in numbers:

# %%
print(" k   recall  ceiling   k/N")
for k in (1, 5, 10, 20, 50):
    print(f"{k:2}    {keyword.recall(k):.3f}   {keyword.ceiling(k):.3f}   {k / 600:.3f}")

# %% [markdown]
# The staircase is gone. Every question still climbs in steps, but 104 of them step at different ranks, and their mean looks smooth.
#
# And the volunteer has her answer, as far as recall goes: twenty results find .564 where ten find .457.

# %% [markdown]
# ## To the end of the list
#
# Fifty results are not the end. Go on to k = 600, and the list may hold the whole handbook. **What is recall@600?**
#
# - `"a"`: 1 for both searches; everything has been handed over
# - `"b"`: 1 for vector search, less for keyword search
# - `"c"`: less than 1 for both

# %% label="04.predict_end" tags=["exercise"]
my_guess = ...

predict("04.predict_end", my_guess)

# %% label="04.predict_end" tags=["solution"]
my_guess = "b"

# %%
recall_curve({"keyword": keyword, "vector": vector}, k_max=600, corpus_size=600)

# %% [markdown]
# It is `"b"`, and four things in this picture are worth a look.
#
# **The curves cross.** At 10 the keyword search is ahead, at 20 the vector search is. "Which is better?" has no answer until somebody
# says a k.
#
# **The vector search reaches 1 at k = N.** That is no merit. It ranks every passage, so at the end of its list it has handed over the
# whole handbook. The random order gets there as well.
#
# **The keyword search doesn't.** It ends on a **[plateau](glossary.ipynb#Plateau)**, far below 1.
#
# **The random order passes it.** That looks worse than it is. The keyword lists have come to their end there, and whoever shuffled the
# pile goes on handing over passages to the last.
#
# So why does the keyword search end so low?

# %%
question = "q033"
relevant = golden.relevant(question)
found = set(keyword_run.ranking(question)) & relevant

print(golden.questions[question])
print("relevant passages:", len(relevant), "  in the whole keyword list:", len(found))
for passage in sorted(relevant)[:2]:
    print()
    print(golden.passages[passage].title)
    print(fill(golden.passages[passage].text, width=90))

# %% [markdown]
# The member says *flashlight*, the handbook says *torch*. A keyword search only lists passages that share a word with the question. The
# others are not far down its list; they are **not in it**. No k, however large, will ever find them.

# %%
in_handbook = sum(len(golden.relevant(question)) for question in keyword.query_ids)
never_listed = sum(len(keyword.missed(question)) for question in keyword.query_ids)

print(f"{never_listed} of {in_handbook} relevant passages are in no keyword list at all")
print(f"that is {never_listed / in_handbook:.0%} of the passages")
print(f"and {1 - keyword.recall(600):.0%} of what recall@600 could be, in the mean over questions")

# %% [markdown]
# Two numbers for one gap? The first counts passages, the second averages over questions. There, a question with one passage weighs as
# much as one with many, and most of those that come away empty have one or two. [Lesson 06](06_macro_micro_hit_rate.ipynb) is about
# just that.

# %% [markdown]
# Now a question that gets half-way. *Which machine would dry out my musty basement?* has R = 3. The keyword list holds two of them, at
# ranks 49 and 60, and ends before it comes to the third. **What is recall@600?**

# %% label="04.plateau" tags=["exercise"]
recall_at_600 = ...

check("04.plateau", recall_at_600)

# %% label="04.plateau" tags=["solution"]
# Two of three are in the list. The third isn't, so no depth brings it up.
recall_at_600 = 2 / 3

# %% [markdown]
# ### See it move
#
# The keyword search once more, with all that belongs to a curve. (The band and the elbow have their turn soon.) Move k, then change
# two things and watch.
#
# 1. **Scale of k**: put it on *log*. The plateau shrinks and the first ten ranks take up a third of the picture. The numbers are the
#    same; only your impression of "it has flattened out" is not. So never read an elbow off by eye.
# 2. **Passages N**: pretend that the handbook were larger, and watch the random order go. (Only that line is drawn anew. The search
#    would lose something as well; how much, you will see for yourself further down.)

# %%
RecallCurveView(keyword, k=10, k_max=600, corpus_sizes=[600, 10_000, 8_800_000], epsilons=[0.02, 0.01, 0.05])

# %% [markdown]
# ## Where to stop
#
# "Raise k until recall stops rising." Everybody says it. You have seen on the staircase what comes of it, and a set of questions is
# not safe either. Where does the keyword curve stand still for the first time?

# %%
first_still = next(k for k in range(1, 51) if keyword.recall(k + 1) == keyword.recall(k))

print("stands still at k =", first_still, "with recall", round(keyword.recall(first_still), 3))
print("and yet, at k = 100, recall is", round(keyword.recall(100), 3))

# %% [markdown]
# So compare with the end and not with the neighbour. A **[stop rule](glossary.ipynb#Stop-rule)** says: take the smallest k from which
# going on to k_max adds at most ε (epsilon, the little that you are ready to give up):
#
# $$\text{the smallest } k \text{ with} \quad \text{recall@}k_\text{max} - \text{recall@}k \;\le\; \varepsilon$$
#
# **Write it as a function.** `curve` is a list that begins with recall@1; its last value is recall@k_max. Try it by hand first on
# `[0, 0.25, 0.25, 0.5]` with ε = 0.25: which k?


# %% label="04.smallest_k" tags=["exercise"]
def my_smallest_k(curve, epsilon):
    """The smallest k from which going on to the end of the curve adds at most epsilon."""
    ...


check("04.smallest_k", my_smallest_k)


# %% label="04.smallest_k" tags=["solution"]
def my_smallest_k(curve, epsilon):
    """The smallest k from which going on to the end of the curve adds at most epsilon."""
    for k, recall in enumerate(curve, start=1):
        if curve[-1] - recall <= epsilon:
            return k


# %%
my_smallest_k = yours_or_ours("04.smallest_k", my_smallest_k)

# %%
print("by hand:", my_smallest_k([0, 0.25, 0.25, 0.5], 0.25))

# %% [markdown]
# Now let it decide for both searches, with ε = .02 and a growing k_max.

# %%
print("k_max   keyword   vector")
for k_max in (50, 100, 200, 600):
    stops = [my_smallest_k(evaluation.curve(k_max), 0.02) for evaluation in (keyword, vector)]
    print(f"{k_max:5}   {stops[0]:7}   {stops[1]:6}")

# %% [markdown]
# The stop of the keyword search slows down, because there is a plateau to come to. That of the vector search runs away with k_max: its
# curve has no elbow. The rule always gives a number, even where nothing stops. So say it in full: *within .02 of recall@100, at k = 66*. Without its ε and its
# k_max, a "good k" means nothing. (The *elbow* of the view above is this rule, up to k = 600.)

# %% [markdown]
# ### With an interval
#
# That 66 belongs to our 104 questions. Other questions of the same kind would have given another k. **How far away, would you say?**
#
# - `"a"`: one or two ranks
# - `"b"`: about five
# - `"c"`: ten or more

# %% label="04.predict_interval" tags=["exercise"]
my_guess = ...

predict("04.predict_interval", my_guess)

# %% label="04.predict_interval" tags=["solution"]
my_guess = "c"

# %% [markdown]
# We have no other questions, but we can pretend. Write each of the 104 on a card, draw a card, put it back, draw again, 104 times. Some
# questions come twice, some not at all. That is a set as it might have been, with a curve of its own. Do it 1,000 times. This is the
# **[bootstrap](glossary.ipynb#Bootstrap)**, and the middle 95 % of the curves are the **band** of the first one.

# %%
band = bootstrap_curve(keyword, k_max=100, resamples=1000)

figure, axes = plt.subplots(figsize=(6.4, 3.8))
axes.fill_between(
    band.k, band.low, band.high, alpha=0.25, label=f"{band.confidence:.0%} of the resampled sets"
)
axes.plot(band.k, band.estimate, label="keyword search")
axes.set_xlabel("cutoff k")
axes.set_ylabel("mean recall@k")
axes.set_ylim(0, 1)
legend = axes.legend(loc="lower right")

# %%
for k in (10, 66, 100):
    print(f"recall@{k}: {band.at(k)}")

# %% [markdown]
# Is the band of a size that you expected? Write `confidence=0.5` into the brackets of `bootstrap_curve` and run its cell again: the middle
# half of the curves is a good deal closer together. Then take it out again.
#
# Each of the thousand curves has a stop of its own. Your function finds them all:

# %%
stops = [my_smallest_k(resampled, 0.02) for resampled in band.resampled]
low, high = np.percentile(stops, [2.5, 97.5])

print(f"our questions: k = {my_smallest_k(band.estimate, 0.02)}")
print(f"95 % of the resampled sets: k = {low:.0f} to {high:.0f}")

# %% [markdown]
# The answer is `"c"`. Nobody who reports "we need k = 66" knows that last digit. Report the interval, and don't rebuild anything
# because the elbow moved by five.
#
# One more distinction. This is the k you **measure** with: generous, deep enough to see what the search can find at all. The k you
# **serve**, to a reader or to a language model, is smaller. It is paid for in reading time, tokens and waiting, and needs an argument
# of its own. A later lesson makes it.

# %% [markdown]
# ## What N hides
#
# Here is a slide. *Our search reaches a recall@1000 of .98.* **Good or bad?** Write `"good"`, `"bad"` or `"cannot say"`.

# %% label="04.predict_report" tags=["exercise"]
my_guess = ...

predict("04.predict_report", my_guess)

# %% label="04.predict_report" tags=["solution"]
my_guess = "cannot say"

# %%
reported = 0.98

for N in (1000, 1200, 10_000, int(8.8e6)):
    print(f"N = {N:9,}   reported {reported}, a random order {1000 / N:.4f}")

# %% [markdown]
# With N = 1,000 passages a shuffled pile scores 1, and so does every search that ranks them all; .98 would only say that some are not in
# its list. With 8.8 million, the size of a well-known public collection, chance gives .0001 and .98 would be a triumph. The slide doesn't
# give N, so you cannot say.
#
# ### One search, many handbooks
#
# Let's make a .98 of our own and watch it collapse. We take the vector search with its 600 passages and throw passages away: each
# question keeps all its relevant ones and loses others by chance, until N are left. `thinned` does it. The search, the questions and
# the answers stay the same. **Only the pile in which they are to be found changes.**

# %%
curve_of = {N: evaluate(golden, thinned(golden, vector_run, N)).curve(50) for N in SIZES}

print("sizes N:", *SIZES)
print(f"recall@50 with all 600: {curve_of[600][50 - 1]:.3f}, as before: {vector.recall(50):.3f}")

# %% [markdown]
# ### Your own slider
#
# This time you build what moves. **Write `draw(N)`**, a function that returns a figure with two lines over k = 1 to 50: `curve_of[N]`, and the
# random order of a pile of N. Name both axes.
#
# Two things are new.
#
# - `plt.subplots()` shows each figure below its cell, and yours will be drawn again and again. So begin with `figure = Figure()` and
#   `axes = figure.subplots()`. Such a figure is shown only where you put it. End with `return figure`.
# - matplotlib fits the y axis to what is drawn. Then each N has another axis, and it is the axis that moves, not the curve.
#   `axes.set_ylim(0, 1)` holds it still.


# %% label="04.draw" tags=["exercise"]
def draw(N):
    """A figure of recall@k in a handbook of N passages, beside a random order."""
    ...


check("04.draw", draw)


# %% label="04.draw" tags=["solution"]
def draw(N):
    """A figure of recall@k in a handbook of N passages, beside a random order."""
    cutoffs = range(1, 51)
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.plot(cutoffs, curve_of[N], "-", label="vector search")
    axes.plot(cutoffs, [k / N for k in cutoffs], ":", label="random order, k/N")
    axes.set(xlabel="cutoff k", ylabel="recall@k", ylim=(0, 1.02), title=f"N = {N}")
    axes.legend(loc="upper left")
    return figure


# %%
draw = yours_or_ours("04.draw", draw)

# %% [markdown]
# Next: a slider, a place for the picture, a place for its words, and a function that fills both. (Saving a figure into a file in memory
# is how a picture gets into a widget. You need not learn it by heart.) Run the cell and move the slider. The picture doesn't follow it.

# %%
width = {"width": "640px", "max_width": "100%"}
slider = SelectionSlider(options=SIZES, value=600, description="Passages N", layout=width)
picture = Image(format="png", layout=width)
words = HTML()


def redraw(change):
    """Draw for the slider's new value, and put the picture and its words in their places."""
    N = change["new"]
    figure, file = draw(N), BytesIO()
    figure.savefig(file, format="png")
    plt.close(figure)
    picture.value = file.getvalue()
    words.value = f"N = {N}: recall@50 of the search {curve_of[N][49]:.3f}, of a random order {50 / N:.3f}"


redraw({"new": 600})
VBox([slider, words, picture])

# %% [markdown]
# A widget calls you back if you ask it to: `widget.observe(function, names="value")` means *whenever your value changes, call this
# function*. No brackets behind the function's name: you hand it over, you don't call it. **Put that line, for your slider and `redraw`, in
# the place of the dots.** A widget remembers every line it was given; what the check finds wrong it takes off again. Then go back up and
# move the slider, with the mouse, or click its knob and use the arrow keys.

# %% label="04.wire" tags=["exercise"]
...

check("04.wire", (slider, picture))

# %% label="04.wire" tags=["solution"]
slider.observe(redraw, names="value")

# %% [markdown]
# From left to right, in numbers:

# %%
for N in SIZES:
    print(f"N = {N:3}   recall@50 {curve_of[N][49]:.3f}   random order {50 / N:.3f}")

# %% [markdown]
# There is the .98, at N = 75. The very same search has .735 at N = 600. Nothing about it got worse; there is more for it to confuse
# with the answer.
#
# The handbook can't go further up. A simulation can: an imaginary search that lifts the score of a relevant passage by a fixed amount,
# and a pile that grows. Three people report the .98 of that slide, each from a corpus of their own. What would be left of it at 8.8
# million?

# %%
for N in (2000, 10_000, 100_000):
    strength = strength_for(0.98, k=1000, documents=N)
    print(f".98 at N = {N:7,} is {expected_recall(strength, 1000, int(8.8e6)):.2f} at 8.8 million")

# %% [markdown]
# One number, three very different searches. A recall at a large k, from a small corpus, flatters whoever reports it. **Quote N, or draw
# k/N beside the curve.**

# %% [markdown]
# ## "Recall never falls as k grows"
#
# You have read it in lesson 02, with a caution. Here is the exact statement: recall@k never falls along **the first k results of one fixed
# list**. Every curve above is of that kind, and none of them falls.
#
# But many systems don't keep one list. A **[fused](glossary.ipynb#Fusion)** search asks two searches for their top results, mixes both
# lists, and shows the top of the mixture. Somebody raises the number it asks each of them for, from 10 to 50. More candidates can't hurt,
# can they? **What happens to recall@5?** `"rises"`, `"stays"` or `"falls"`?

# %% label="04.predict_arms" tags=["exercise"]
my_guess = ...

predict("04.predict_arms", my_guess)

# %% label="04.predict_arms" tags=["solution"]
my_guess = "falls"

# %%
fused = {depth: evaluate(golden, frozen_run(f"hybrid_{depth}")) for depth in (10, 50, 600)}

code = "q001"  # it has one relevant passage
searches = {"keyword alone": keyword, "vector alone": vector}
searches |= {f"{depth} of each": evaluation for depth, evaluation in fused.items()}

print(golden.questions[code])
for name, evaluation in searches.items():
    (rank,) = evaluation.relevant_ranks(code)
    print(
        f"{name:13}   the answer is at rank {rank:3}   recall@5 of all questions {evaluation.recall(5):.3f}"
    )

# %% [markdown]
# It falls. Look at the one question. Keyword search knows the item code and has the answer at rank 1. Vector search doesn't understand
# codes. With ten results of each the answer stays near the top. With fifty, passages that are middling in *both* lists join in. They get
# two votes, the answer gets one, and they pass it. With everything, the answer gets its second vote, a weak one: that is worth one
# place.
#
# So the slogan serves wherever you read a curve off a saved run. It fails as soon as a deeper request means **another list**: fusing,
# reranking, asking again. Measure such a system at each setting.
#
# ### A list that was cut off
#
# The same runs hold one more kind of flat. The fused run with 10 of each has at most 20 results for a question:

# %%
for k in (10, 20, 30, 50):
    print(f"recall@{k}: {fused[10].recall(k):.3f}")

# %% [markdown]
# Flat from 20 on, and it means nothing. Nobody asked for a twenty-first result. That isn't a plateau; it is the end of the paper.

# %% [markdown]
# ## Your own questions
#
# In lesson 01 you make a golden dataset of a few questions. If it is there, its curve joins ours; if not, the cell says so and goes on.
# Don't compare the heights: a passage you didn't judge counts as not relevant, and you judged twenty. Compare the **shapes**. How many
# steps can you see, and how high is one? Look first, then read what the second cell prints.

# %% tags=["nbval-ignore-output"] reason="the curve of the learner's own questions, where there are any"
mine = own_golden(golden)
curves = {f"our {keyword.n} questions": keyword}
if mine is not golden:
    curves["your questions"] = evaluate(mine, keyword_run)

recall_curve(curves, k_max=50)

# %% tags=["nbval-ignore-output"] reason="the steps of the learner's own curve, where there is one"
for name, evaluation in curves.items():
    dataset = golden if evaluation is keyword else mine
    steps = [1 / (evaluation.n * len(dataset.relevant(question))) for question in evaluation.query_ids]
    print(f"{name}: a hit lifts the curve by 1 / (n · R), which is {min(steps):.4f} to {max(steps):.4f}")

# %% [markdown]
# ## Checkpoint
#
# Four real curves. Each is flat somewhere, or seems to be.

# %%
judged = {"q101": golden.judgments["q101"]}
one = evaluate(judged, keyword_run, min_grade=golden.min_grade)
panels = {"A": (one, 80), "B": (keyword, 600), "C": (fused[10], 50), "D": (vector, 100)}

figure, grid = plt.subplots(2, 2, figsize=(7.2, 4.8), sharey=True, layout="constrained")
for axes, (name, (evaluation, k_max)) in zip(grid.flat, panels.items(), strict=True):
    axes.step(range(1, k_max + 1), evaluation.curve(k_max), where="post")
    axes.set(title=name, xlabel="cutoff k", ylabel="recall@k", ylim=(0, 1.05))

# %%
for name, (evaluation, k_max) in panels.items():
    told = (1, k_max // 4, k_max // 2, k_max)
    print(f"{name}:", ", ".join(f"{evaluation.recall(k):.3f} at {k}" for k in told))

# %%
task("04.which_flat")

# %% label="04.which_flat" tags=["exercise"]
labels = {"A": ..., "B": ..., "C": ..., "D": ...}

check("04.which_flat", labels)

# %% label="04.which_flat" tags=["solution"]
labels = {"A": "staircase", "B": "plateau", "C": "cut off", "D": "still climbing"}

# %% [markdown]
# ## Where this goes wrong in practice
#
# A team tries its search on a pilot of 1,200 documents and reports a recall@1000 of .98. The project is approved. A year later the
# archive is in, forty times as many documents, and recall@1000 is down to .17. "The model has decayed," says the report, and a new one is
# bought.
#
# Nothing decayed. In the pilot a shuffled pile would have had .83, so .98 said little. By our simulation, that little is just what is
# left in the archive.

# %%
strength = strength_for(0.98, k=1000, documents=1200)

for N in (1200, 40 * 1200):
    print(
        f"N = {N:6,}   the search {expected_recall(strength, 1000, N):.2f}   a shuffled pile {1000 / N:.2f}"
    )

# %% [markdown]
# Another team had a rule: raise k until recall hasn't risen for three steps. Their eight test questions made a coarse staircase. They stopped
# on its first wide tread and called it the elbow.

# %% [markdown]
# ## One sentence to take away
#
# **A curve is read with its n, its N and its depth beside it: only they tell whether it is flat because everything is found, because
# nothing more can be found, or because nobody looked.**
#
# Next: [05 · The k-cap trap](05_the_k_cap_trap.ipynb), about the line at the top of your picture.
