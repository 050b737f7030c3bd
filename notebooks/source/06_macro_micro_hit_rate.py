# %% [markdown]
# # 06 · Macro, micro, hit rate
#
# **You will be able to** average recall in two ways, say whose recall each of them is, put the hit rate beside them, and
# choose one and defend it.
#
# **Time:** about {minutes} minutes, [an estimate](start.ipynb#The-lessons). **Builds on:**
# [02 · Recall by hand](02_recall_by_hand.ipynb), [03 · Recall in code](03_recall_in_code.ipynb) and
# [05 · The k-cap trap](05_the_k_cap_trap.ipynb).

# %%
import matplotlib.pyplot as plt
import pandas as pd

from recall_lab import GoldenDataset, evaluate, mean_hit_rate_at_k, mean_recall_at_k, micro_recall_at_k
from recall_lab.exercises import another, check, hint, own_golden, predict, reveal, task, yours_or_ours
from recall_lab.exercises.lesson_02 import HAND_SHEET
from recall_lab.retrieval import frozen_run
from recall_lab.widgets import AveragesView

print("Ready.")

# %% [markdown]
# ## Two people, one number
#
# Two people stand at the counter of Fennick's library. The first asks how high the deposit on a tent is. Two passages of the handbook
# say it, and the top 10 hold both. The second needs everything that two people have to carry. Thirty passages say that of something,
# and the top 10 hold three.
#
# | question | R | found in the top 10 |
# |---|---|---|
# | q1, the deposit | 2 | 2 |
# | q2, everything heavy | 30 | 3 |
#
# The head of the library wants one number for the board outside. Start with the average that you know from lesson 02. **What is the
# macro mean of the two recalls?**

# %% label="06.macro_by_hand" tags=["exercise"]
macro = ...

check("06.macro_by_hand", macro)

# %% label="06.macro_by_hand" tags=["solution"]
# One recall for each question, then their average.
macro = (2 / 2 + 3 / 30) / 2

# %% [markdown]
# ## Macro and micro
#
# "More than half", says the board. The second person comes back, red in the face. *There were 32 passages between us, and your machine
# found five of them. That is more than half?*
#
# Both are right. They average differently.
#
# - **[Macro](glossary.ipynb#Macro-mean)**: divide first, question by question, then average.
# - **[Micro](glossary.ipynb#Micro-mean)**: add first, then divide once.
#
# $$\text{micro recall@}k \;=\; \frac{\text{relevant passages found, of all questions together}}{\text{relevant passages that exist, of all questions
# together}}$$
#
# **What is the micro mean of the two questions?**

# %% label="06.micro_by_hand" tags=["exercise"]
micro = ...

check("06.micro_by_hand", micro)

# %% label="06.micro_by_hand" tags=["solution"]
# Five passages found in all, of the 32 that exist in all.
micro = (2 + 3) / (2 + 30)

# %% [markdown]
# One search, two questions, .55 or .156. Neither has a bug in it.
#
# ### Who has a vote
#
# Think of an election. In the macro mean **each question has one vote**. In the micro mean **each relevant passage has one**, so a
# question has as many votes as its R. (A passage that two questions want is wanted twice, and votes twice.) So both are averages of
# the same two recalls. Only the votes differ:

# %%
first, second = 2 / 2, 3 / 30

print("macro:", round(1 / 2 * first + 1 / 2 * second, 3))
print("micro:", round(2 / 32 * first + 30 / 32 * second, 3))

# %% [markdown]
# The first person has 2 of the 32 votes. Her perfect answer hardly shows.

# %% [markdown]
# ## The hand sheet again
#
# You know this sheet from lesson 02, and its macro mean at k = 5.

# %%
relevant = {query.name: query.relevant(1) for query in HAND_SHEET.queries}
lists = {query.name: query.retrieved for query in HAND_SHEET.queries}
runs = [(lists[question], relevant[question]) for question in relevant]

for query in HAND_SHEET.queries:
    print(f"{query.name}   R = {len(relevant[query.name]):2}   found at ranks", *(query.ranks() or ["-"]))
print()
print("macro recall@5:", mean_recall_at_k(runs, 5))

# %% [markdown]
# **What is its micro mean at k = 5?** Work it out on paper.

# %% label="06.sheet_micro" tags=["exercise"]
sheet_micro_at_5 = ...

check("06.sheet_micro", sheet_micro_at_5)

# %% label="06.sheet_micro" tags=["solution"]
# Hits in the top 5: two, three and five. R adds up to 29, and q4 adds nothing to either.
sheet_micro_at_5 = (2 + 3 + 5 + 0) / (4 + 4 + 20 + 1)

# %% [markdown]
# So at 5 macro is above micro. At 20 it is the other way round: everything is found except one passage of q1, which is one of q1's four but
# only one of 29. Somewhere in between micro passes macro for the first time.
#
# **Guess: at which k?** Give the first k at which micro is above macro, without working it all out.

# %% label="06.predict_crossing" tags=["exercise"]
my_guess = ...

predict("06.predict_crossing", my_guess)

# %% label="06.predict_crossing" tags=["solution"]
my_guess = 7

# %% [markdown]
# **And what carries it past macro?**
#
# - `"a"`: q3 finds one more passage at every rank. It has most of the votes in micro, and one of four in macro.
# - `"b"`: q1 and q2 find more and more of their passages.
# - `"c"`: q5 finds its only passage.

# %% label="06.predict_why" tags=["exercise"]
my_guess = ...

predict("06.predict_why", my_guess)

# %% label="06.predict_why" tags=["solution"]
my_guess = "a"

# %% [markdown]
# Now move k from 1 to 20, one step at a time, and watch the bold line. In the squares you can see both averages: **micro counts
# squares, macro counts rows.**

# %%
AveragesView(relevant, {"the sheet": lists}, k=1, k_max=20)

# %% [markdown]
# Here is the whole way in one picture, and below it the places where the two change sides.

# %%
cutoffs = range(1, 21)
macros = [mean_recall_at_k(runs, k) for k in cutoffs]
micros = [micro_recall_at_k(runs, k) for k in cutoffs]

figure, axes = plt.subplots()
axes.plot(cutoffs, macros, "o-", label="macro, questions vote")
axes.plot(cutoffs, micros, "s--", label="micro, passages vote", markerfacecolor="white")
axes.set_xlabel("cutoff k")
axes.set_ylabel("recall@k of the hand sheet")
axes.set_xticks([1, 5, 7, 10, 12, 15, 19])
axes.legend()
plt.show()

# %%
above = "macro"
for k in cutoffs:
    by_questions, by_passages = macros[k - 1], micros[k - 1]
    now = "micro" if by_passages > by_questions else "macro"
    if now != above:
        print(f"k = {k:2}: {now} passes (macro {by_questions:.4f}, micro {by_passages:.4f})")
    above = now

# %% [markdown]
# Three crossings, and each has its question.
#
# - **At 7** micro passes. At ranks 6 and 7 only q3 finds anything (q2 rests until 8, q1 until 9). Each of its hits is one vote of 29
#   in micro; in macro it is a twentieth of one question in four. The answer was `"a"`.
# - **At 12** the single passage of q5 turns up. In micro it is one vote of 29. In macro it lifts a whole question from 0 to 1, so macro
#   jumps ahead.
# - **At 19** patient q3 has carried micro past once more.
#
# So "macro is the kinder one", or "micro is", is no rule. It depends on *which* questions go well: the small or the large ones.

# %% [markdown]
# ## Write it
#
# **Write your own `my_micro_recall`.** It gets the list of pairs that you know from lesson 03: what was retrieved, and what is relevant.
# A list may hold a passage twice, and two questions may want the same passage. Where nothing exists to be found, in no question,
# return `None`.


# %% label="06.micro_recall_at_k" tags=["exercise"]
def my_micro_recall(runs, k):
    """All relevant passages found in the top k of their lists, over all that exist; None where none exists."""
    ...


check("06.micro_recall_at_k", my_micro_recall)


# %% label="06.micro_recall_at_k" tags=["solution"]
def my_micro_recall(runs, k):
    """All relevant passages found in the top k of their lists, over all that exist; None where none exists."""
    found = sum(len(set(retrieved[:k]) & set(relevant)) for retrieved, relevant in runs)
    existing = sum(len(relevant) for retrieved, relevant in runs)
    return found / existing if existing else None


# %%
my_micro_recall = yours_or_ours("06.micro_recall_at_k", my_micro_recall)

print("hand sheet, k = 10:", round(my_micro_recall(runs, 10), 4))

# %% [markdown]
# ## Hit rate beside both
#
# The [hit rate](glossary.ipynb#Hit-rate) is the third number that goes by the name of recall. It asks each question only whether there is
# **at least one** relevant passage in the top k.
#
# Ten questions with one relevant passage each. This is the rank at which it was found:
#
# | question | q1 | q2 | q3 | q4 | q5 | q6 | q7 | q8 | q9 | q10 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | rank | 1 | 3 | 12 | 2 | never | 5 | 17 | 1 | 48 | 4 |
#
# **What is the hit rate at k = 12?**

# %% label="06.hit_rate_of_ten" tags=["exercise"]
hit_rate_at_12 = ...

check("06.hit_rate_of_ten", hit_rate_at_12)

# %% label="06.hit_rate_of_ten" tags=["solution"]
# Seven questions have their passage in the top 12. The one without any rank is one of the ten.
hit_rate_at_12 = 7 / 10

# %%
ranks = [1, 3, 12, 2, None, 5, 17, 1, 48, 4]
ten = [(["x"] * (rank - 1) + ["A"] if rank else ["x"], {"A"}) for rank in ranks]

print("hit rate:", mean_hit_rate_at_k(ten, 12))
print("macro:   ", mean_recall_at_k(ten, 12))
print("micro:   ", my_micro_recall(ten, 12))

# %% [markdown]
# Where R = 1 everywhere, all three are one number. That is why people who work with such question sets use the names as if they meant the
# same. The moment a question has two relevant passages, they part.
#
# One hit is easier to get than all hits. So question by question, and in the macro mean, the hit rate is never below
# recall. **Can the micro mean be above the hit rate?** Write `"yes"` or `"no"`.

# %% label="06.predict_hit_rate" tags=["exercise"]
my_guess = ...

predict("06.predict_hit_rate", my_guess)

# %% label="06.predict_hit_rate" tags=["solution"]
my_guess = "yes"

# %%
one_missed = (["x", "y"], {"A"})
all_found = ([f"B{i}" for i in range(20)], {f"B{i}" for i in range(20)})
two = [one_missed, all_found]

print("hit rate:", mean_hit_rate_at_k(two, 20))
print("macro:   ", mean_recall_at_k(two, 20))
print("micro:   ", round(my_micro_recall(two, 20), 3))

# %% [markdown]
# It can. A question with R = 1 is missed, one with R = 20 is answered in full. Hit rate and macro count two questions and see one success.
# Micro counts 21 passages and hardly notices the miss. Hit rate is the easier test *of a question*; micro doesn't ask questions, it asks
# passages.

# %% [markdown]
# ## See it move
#
# Two searches compete for Fennick's counter. **keyword** compares words, as in lesson 02. **meaning** compares what texts are about
# ([vector search](glossary.ipynb#Vector-search)), so that *flashlight* finds a torch. We ran both beforehand and saved what they returned.
#
# Here are five real questions, and what each search found of their R passages at k = 20.

# %%
golden = GoldenDataset.load("library_of_things")
searches = {"keyword": frozen_run("keyword"), "meaning": frozen_run("minilm")}
five = ["q004", "q033", "q017", "q020", "q054"]

answers = [golden.relevant(question_id) for question_id in five]
in_top_20 = pd.DataFrame(
    {"R": map(len, answers)}, index=[golden.questions[question_id] for question_id in five]
)
for name, run in searches.items():
    tops = [set(run.ranking(question_id, 20)) for question_id in five]
    in_top_20[name] = [len(top & answer) for top, answer in zip(tops, answers, strict=True)]
in_top_20

# %% [markdown]
# Now we change one thing. We keep the saved lists as they are, and of the 18 cards for the last question we **count only the first one as
# relevant, then the first two, three** and so on. R of this question grows from 1 to 18.
#
# At R = 1, *keyword* has found the one card and *meaning* hasn't. Over all five questions *meaning* is still ahead, by macro and by micro. **By
# which average will *keyword* pass it as R grows?** `"macro"`, `"micro"`, `"both"` or `"neither"`?

# %% label="06.predict_resize" tags=["exercise"]
my_guess = ...

predict("06.predict_resize", my_guess)

# %% label="06.predict_resize" tags=["solution"]
my_guess = "micro"

# %% [markdown]
# Now move R from 1 to the end, slowly, and watch the marks on the three lines. The slider for k can wait; try it afterwards.

# %%
view = AveragesView.for_questions(golden, searches, five, resize="q054", size=1, k=20)
view

# %% [markdown]
# Up to R = 5 *meaning* is ahead by micro, at 6 they are level, and from 7 on *keyword* is ahead. So the answer was `"micro"`. By macro
# *meaning* stays ahead: there this is one question of five, whatever its size. It moves a little with every card that *meaning* finds or misses.
# The hit rate moves once, up by a fifth: at R = 3 *meaning* gets its first hit in the growing question.
#
# **Nobody touched a list. Only the R of one question changed, and two systems swapped places.**

# %%
table = view.table()
at_20 = table[(table["k"] == 20) & table["size"].isin([5, 6, 7, 18])].set_index("size").rename_axis("R")
at_20[["macro keyword", "macro meaning", "micro keyword", "micro meaning"]].round(3)

# %% [markdown]
# ## Two real systems
#
# Was that only a trick with five picked questions? Here are both searches on all questions of the library of things. `evaluate` works
# out all three averages.

# %%
evaluations = {name: evaluate(golden, run) for name, run in searches.items()}

averages = {}
for name, e in evaluations.items():
    averages[name] = [e.recall(20), e.micro_recall(20), e.hit_rate(20)]

names = ["macro recall@20", "micro recall@20", "hit rate@20"]
pd.DataFrame(averages, index=names).round(3)

# %% [markdown]
# No trick. By macro *meaning* is better, by micro *keyword* is. A report that says "recall@20" and nothing else can have
# whichever winner its author likes.
#
# Which questions do it? The next cell splits them by size. (You need not read the code.)

# %%
keyword = evaluations["keyword"].per_query(20).dropna(subset="recall")
meaning = evaluations["meaning"].per_query(20).dropna(subset="recall")

counts = pd.DataFrame(
    {
        "questions": 1,
        "relevant passages": keyword["relevant"],
        "found by keyword": keyword["found"],
        "found by meaning": meaning["found"],
    }
)
by_size = counts.groupby(keyword["relevant"] > 5).sum()
by_size.index = ["R up to 5", "R above 5"]
by_size

# %%
large = by_size.loc["R above 5"] / by_size.sum()

print(f"large questions: {large['questions']:.0%} of all questions")
print(f"                 {large['relevant passages']:.0%} of all relevant passages")

# %% [markdown]
# On the small questions *meaning* finds more. On the large ones *keyword* does, and they hold most of the passages. They are exactly
# the **list questions** of lesson 05. Here are the five where *keyword* is furthest ahead:

# %%
lead = (keyword["found"] - meaning["found"]).sort_values(ascending=False)

for question_id in lead.index[:5]:
    R, one = keyword.loc[question_id, ["relevant", "found"]]
    other = meaning.loc[question_id, "found"]
    print(f"{one:2} against {other:2} of {R:2}  {golden.questions[question_id]}")

# %% [markdown]
# Why these? The same words stand on many cards: *ear defenders*, *Rotary Club*, *petrol*. A search that compares words finds all such
# cards. A search that compares meanings reads *Parts: washer, lance, 10 m hose, ear defenders.* and sees a pressure washer.
#
# This takes some depth. In a short list a large question can't show what it has, because k caps it:

# %%
for k in (5, 10, 20, 50):
    by_keyword, by_meaning = (evaluations[name].micro_recall(k) for name in searches)
    print(f"micro recall@{k:<2}  keyword {by_keyword:.3f}  meaning {by_meaning:.3f}")

# %% [markdown]
# **One more guess**, at k = 20 again. Leave out the question where *keyword* is furthest ahead, then the next, and so on. **How many of the 104 questions
# must go until *meaning* is ahead by micro as well?**

# %% label="06.predict_few" tags=["exercise"]
my_guess = ...

predict("06.predict_few", my_guess)

# %% label="06.predict_few" tags=["solution"]
my_guess = 3

# %%
for gone in range(5):
    stay = lead.index[gone:]
    existing = keyword.loc[stay, "relevant"].sum()
    by_keyword, by_meaning = (one.loc[stay, "found"].sum() / existing for one in (keyword, meaning))
    winner = "keyword" if by_keyword > by_meaning else "meaning"
    print(f"{gone} of {len(lead)} left out: keyword {by_keyword:.3f}, meaning {by_meaning:.3f}: {winner}")

# %% [markdown]
# **Three questions outvote all the others together.** (Don't do this in a report; whoever leaves out what hurts can prove anything. It is
# a way to ask how much hangs on how little.) And macro?

# %%
difference = evaluations["meaning"].recall(20) - evaluations["keyword"].recall(20)

print(f"lead by macro: {difference:.3f}, which is {104 * difference:.1f} of the 104 votes")

# %% [markdown]
# A question has one vote, so it can give its search a lead of one vote at most. Whichever eight questions you leave out, *meaning* stays
# ahead by macro.

# %% [markdown]
# ### Questions with nothing to find
#
# The handbook doesn't answer every question that members ask, and 16 of ours have R = 0. Both averages leave them out: macro because we say so, micro by
# itself, as they add nothing to either sum. Some tools score them 0. Then macro falls and micro doesn't move:

# %%
left_out = evaluate(golden, searches["meaning"])
as_zero = evaluate(golden, searches["meaning"], no_relevant="zero")

print(f"{len(left_out.excluded)} questions with R = 0")
print(f"left out:  macro {left_out.recall(20):.3f}, micro {left_out.micro_recall(20):.3f}")
print(f"scored 0:  macro {as_zero.recall(20):.3f}, micro {as_zero.micro_recall(20):.3f}")

# %% [markdown]
# ### On your own questions
#
# If you have made a golden dataset in lesson 01, here are both searches on it. It has few questions and few judgments, and a passage that nobody
# judged counts as not relevant. So read it as an exercise in reading: which average, how many questions, how large?

# %% tags=["nbval-ignore-output"] reason="it measures with the learner's own golden dataset where there is one"
mine = own_golden(golden)

for name, run in searches.items():
    e = evaluate(mine, run)
    print(f"{name}, {e.n} questions")
    print(f"   macro    {e.recall(20):.3f}")
    print(f"   micro    {e.micro_recall(20):.3f}")
    print(f"   hit rate {e.hit_rate(20):.3f}")

# %% [markdown]
# ## Whose recall is it?
#
# Behind each average stands a person.
#
# | average | one vote for | the person behind it asks |
# |---|---|---|
# | macro | each question | *I come with one question. How much of its answer will I get?* |
# | micro | each relevant passage | *I collect evidence. How much of all there is do I hold in my hands?* |
# | hit rate | each question | *Did I get at least one passage to start from?* |
#
# You will read that macro is the right one, and that micro is a mistake. As a habit this serves well: search is mostly measured by macro, because
# mostly each asker counts the same, and your number then compares with others'. As a law it is false. Whoever has to hand over
# *all* documents in forty cases isn't helped by the average case.
#
# The exact statement is shorter: **neither is right everywhere, so say which one you used and for whom.** And where the two choose different
# winners, say that too. It is not a flaw of your report. It is the most interesting line in it.

# %% [markdown]
# ## Checkpoint
#
# Six situations. Put `"macro"`, `"micro"` or `"hit rate"` in the place of the dots.

# %%
task("06.whose_recall")

# %% label="06.whose_recall" tags=["exercise"]
labels = {
    "next member": ...,
    "faulty drills": ...,
    "blank page": ...,
    "court": ...,
    "rare questions": ...,
    "descale": ...,
}

check("06.whose_recall", labels)

# %% label="06.whose_recall" tags=["solution"]
labels = {
    "next member": "macro",
    "faulty drills": "micro",
    "blank page": "hit rate",
    "court": "micro",
    "rare questions": "macro",
    "descale": "hit rate",
}

# %% [markdown]
# And now decide something. As in lesson 05: write between three quotes, run, read the points of a good argument, and judge your own text
# by putting their letters into `points`.

# %%
task("06.defend")

# %% label="06.defend" tags=["exercise"]
argument = ...
points = ""

check("06.defend", (argument, points))

# %% label="06.defend" tags=["solution"]
argument = """I recommend the search by meaning: macro recall@20 is .648 against .564 over 104
questions. At the counter each member comes with one question, and nobody's question is worth
more because it has a long answer, so each gets one vote. By micro keyword search would win,
.493 against .436, and I say so: it is better at a few large list questions, such as what comes
with ear defenders. If the staff need complete lists, they should have keyword search beside it."""
points = "abcd"

# %% [markdown]
# ## Where this goes wrong in practice
#
# An archive tests its search on forty questions. Thirty-nine of them want one letter each; the fortieth wants all 600 minutes of one committee.
# The report says: *on average our visitors find 95 % of what they are looking for.* The visitors say otherwise.

# %%
small_found, minutes_found = 10, 594

print(f"in the report: {(small_found + minutes_found) / (39 + 600):.0%}")
print(f"per visitor:   {(small_found + minutes_found / 600) / 40:.0%}")
print(f"left with nothing: {39 - small_found} of 40")

# %% [markdown]
# The tool had added up before it divided, and its author had written *mean* beside the
# result. Here is the function, from a tool like it. **Find the input that exposes it**: give `hits` and `relevant_counts`, a list each with a number for each
# question, such as `[5, 1]`.

# %%
task("06.bug_label")

# %% label="06.bug_label" tags=["exercise"]
arguments = {"hits": ..., "relevant_counts": ...}

check("06.bug_label", arguments)

# %% label="06.bug_label" tags=["solution"]
# A small question answered in full, a large one hardly.
arguments = {"hits": [2, 3], "relevant_counts": [2, 30]}

# %% [markdown]
# Note where it hides: in every set whose questions are of one size, and so in most tests that people write. The honest repair is one word
# in the label, or one line in the code. Which of the two depends on who reads the report.

# %% [markdown]
# ## One sentence to take away
#
# **An average is an election: macro gives each question a vote, micro each passage, hit rate is content with one hit, so say who votes before
# you say who wins.**
#
# Back to [the list of lessons](start.ipynb#The-lessons).
