# %% [markdown]
# # 02 · Recall by hand
#
# **You will be able to** work out recall, precision, hit rate and the ceiling of a ranked list with pencil and
# paper, and say what each of them leaves out.
#
# **Time:** about {minutes} minutes, [an estimate](start.ipynb#The-lessons). **Builds on:** nothing. If notebooks are
# new to you, spend five minutes on [Start here](start.ipynb) first.
#
# Have paper and a pencil beside you. You will need them.

# %% [markdown]
# Click into the grey cell below and press **Shift+Enter**. It fetches the tools of this lesson.

# %%
from ipywidgets import jslink

from recall_lab import GoldenDataset, evaluate, precision_at_k, recall_at_k
from recall_lab.exercises import another, check, hint, own_golden, predict, reveal
from recall_lab.retrieval.keyword import KeywordRetriever
from recall_lab.widgets import RankedListView

print("Ready.")

# %% [markdown]
# ## A search at the counter
#
# The town of Fennick has a library that lends drills, tents and lawn mowers. Whatever a member may want to know is
# written in its handbook. We cut the handbook into short **[passages](glossary.ipynb#Passage)** and collected
# **[questions](glossary.ipynb#Question)** that members ask.

# %%
golden = GoldenDataset.load("library_of_things")
print(len(golden.passages), "passages,", len(golden.questions), "questions")

# %% [markdown]
# Somebody wants to know which machines burn petrol. The search box compares the words of the question with the words
# of every passage. Search people call such a thing a **[retriever](glossary.ipynb#Retriever)**.

# %%
question_id = "q047"
question = golden.questions[question_id]
retriever = KeywordRetriever(golden.passages)

print(question)
print()
for rank, (passage_id, score) in enumerate(retriever.search(question, depth=10), start=1):
    print(f"{rank:2}  {score:5.2f}  {golden.passages[passage_id].title}")

# %% [markdown]
# This is a **[ranked list](glossary.ipynb#Ranked-list)**. The score in the second column says how well the retriever likes a
# passage; the one it likes best stands at rank 1.
#
# Some of these look like petrol machines and some don't. But did the search find **every** machine that burns petrol? Look
# again. You can't tell, because what was missed is not on the list.

# %% [markdown]
# ## What exists and what was found
#
# Perhaps the program that measures knows more than we do. It is a Python package named `recall_lab`. We hand it the list and ask
# for a score.
#
# (It will refuse. `try` and `except` let us read why, instead of stopping with a page of red.)

# %%
run = retriever.run({question_id: question}, depth=20)

try:
    evaluate({}, run)
except ValueError as refusal:
    print(refusal)

# %% [markdown]
# It is right to refuse. Recall is a share: **of all passages that answer the question, how many did we find?** The list
# holds the top of that fraction. The bottom, *all passages that answer*, is nowhere in it.
#
# Somebody has to read the handbook and decide, for each question, which passages answer it. Such a decision is a
# **[judgment](glossary.ipynb#Judgment)**. Passages, questions and judgments together are a
# **[golden dataset](glossary.ipynb#Golden-dataset)**. Ours has judgments, so we may ask which passages answer our question.

# %%
relevant = golden.relevant(question_id)

print(len(relevant), "passages answer the question:")
for passage_id in sorted(relevant):
    print("   ", golden.passages[passage_id].title)

# %% [markdown]
# These passages are **[relevant](glossary.ipynb#Relevant)**. How many there are is called **R**. It counts all that exist,
# whether the search found them or not.

# %% [markdown]
# ## Recall is a share
#
# Nobody reads a ranked list to the end. You read the first few; how many is your
# **[cutoff](glossary.ipynb#Cutoff-k)**, written k. So recall always comes with its k:
#
# $$\text{recall@}k \;=\; \frac{\text{relevant passages in the top } k}{\text{all relevant passages, } R}$$
#
# ### The cutoff k
#
# A small example. Three passages are relevant: A, B and C, so R = 3. The search returns five passages:
#
# | rank | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|
# | passage | A | x | y | B | z |
# | relevant? | **yes** | – | – | **yes** | – |
#
# The top 3 hold one of the three: recall@3 = 1/3. The top 5 hold two: recall@5 = 2/3. C was never found, and it counts
# in the bottom of the fraction all the same. That is the whole idea.

# %%
print(recall_at_k(["A", "x", "y", "B", "z"], {"A", "B", "C"}, k=3))
print(recall_at_k(["A", "x", "y", "B", "z"], {"A", "B", "C"}, k=5))

# %% [markdown]
# ### Order inside the top k
#
# Does it help to put A and B side by side at the top? Not to recall@5. It asks *what* is in the top 5, not in which order.

# %%
print(recall_at_k(["A", "B", "x", "y", "z"], {"A", "B", "C"}, k=5))

# %% [markdown]
# ### Your turn
#
# For another question R = 4. The search finds relevant passages at ranks 2, 5 and 9. It never finds the fourth.
#
# | rank | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | relevant? | – | **yes** | – | – | **yes** | – | – | – | **yes** | – |
#
# **What is recall@5?** Put a fraction such as `1/3` in the place of the three dots and run the cell.

# %% label="02.recall_by_hand" tags=["exercise"]
recall_at_5 = ...

check("02.recall_by_hand", recall_at_5)

# %% label="02.recall_by_hand" tags=["solution"]
# The top 5 hold two relevant passages, at ranks 2 and 5. Four exist.
recall_at_5 = 2 / 4

# %% [markdown]
# The list goes on to rank 100, with nothing relevant after rank 9. **What is recall@100?**

# %% label="02.recall_deeper" tags=["exercise"]
recall_at_100 = ...

check("02.recall_deeper", recall_at_100)

# %% label="02.recall_deeper" tags=["solution"]
# Three are found, however far down we read. The fourth isn't in the list at all.
recall_at_100 = 3 / 4

# %% [markdown]
# ## Precision beside recall
#
# Recall looks at what there was to find. **[Precision](glossary.ipynb#Precision)** looks at what you were made to read:
#
# $$\text{precision@}k \;=\; \frac{\text{relevant passages in the top } k}{k}$$
#
# Same top, other bottom. In the example with A, B and C, two of the top 5 are relevant: precision@5 = 2/5.

# %%
print(precision_at_k(["A", "x", "y", "B", "z"], {"A", "B", "C"}, k=5))

# %% [markdown]
# Back to your list: R = 4, relevant passages at ranks 2, 5 and 9. **What is precision@5?** Write it as a fraction again.

# %% label="02.precision_by_hand" tags=["exercise"]
precision_at_5 = ...

check("02.precision_by_hand", precision_at_5)

# %% label="02.precision_by_hand" tags=["solution"]
# The same two hits, shared among the five places we looked at.
precision_at_5 = 2 / 5

# %% [markdown]
# ## See it move
#
# Soon you will move k along our petrol list and watch both numbers. First, your guess. It isn't marked; a guess that
# turns out wrong is the one you will remember. Put the letter in the place of the dots, with its quotes.
#
# **As k grows by one, what can happen to recall?**
#
# - `"a"`: it can rise or stay, never fall
# - `"b"`: it can rise or fall
# - `"c"`: it can fall or stay, never rise

# %% label="02.predict_recall_climbs" tags=["exercise"]
my_guess = ...

predict("02.predict_recall_climbs", my_guess)

# %% label="02.predict_recall_climbs" tags=["solution"]
my_guess = "a"

# %% [markdown]
# **And to precision?** The same three choices.

# %% label="02.predict_precision" tags=["exercise"]
my_guess = ...

predict("02.predict_precision", my_guess)

# %% label="02.predict_precision" tags=["solution"]
my_guess = "b"

# %% [markdown]
# **Try your guesses on paper.** Take your list with R = 4 and hits at ranks 2, 5 and 9. Write recall and precision for k = 1, 2, 3, 4
# and 5, one below the other. A minute will do.
#
# Then run the cell and move k along the petrol list: drag the slider, or click it and use the arrow keys. Relevant passages carry
# the word *relevant* and a mark. Go slowly from 1 to the end and watch what happens at each mark, and between two marks. (The
# view shows two more numbers, hit rate and ceiling. We come to them soon.)

# %%
view = RankedListView.for_question(golden, run, question_id, depth=20, k=1)
view

# %% [markdown]
# **Recall only climbs.** One more passage can add a hit; it can't take one away, and R stays what it is. So the answer to the first
# question was `"a"`.
#
# **Precision zigzags.** A hit lifts it, and every passage that isn't one pulls it down a little. It does not simply fall. So the
# answer to the second was `"b"`.
#
# Here are both for your list with hits at ranks 2, 5 and 9. Compare with what you have on paper.

# %%
your_list = ["x1", "A", "x3", "x4", "B", "x6", "x7", "x8", "C", "x10"]
your_relevant = {"A", "B", "C", "D"}

print(" k  recall  precision")
for k in range(1, 11):
    recall = recall_at_k(your_list, your_relevant, k)
    precision = precision_at_k(your_list, your_relevant, k)
    print(f"{k:2}   {recall:.2f}     {precision:.2f}")

# %% [markdown]
# Both fractions have the same top, the hits. So precision × k = recall × R. At k = 5 that is .40 × 5 = .50 × 4 = 2 hits.
# When you know one of them, k and R give you the other.
#
# One caution. Recall only climbs along **one fixed list**. A system that searches afresh for each k may return another
# list, and then anything can happen.

# %% [markdown]
# ## Many questions: the hand sheet
#
# One question is an anecdote. Here is a sheet with five: R, and the ranks at which relevant passages were found.
# Copy it to paper; lessons to come use it again.
#
# | question | R | ranks of the relevant passages found |
# |---|---|---|
# | q1 | 4 | 2, 5, 9 |
# | q2 | 4 | 1, 3, 4, 8 |
# | q3 | 20 | 1, 2, 3, … up to 20 |
# | q4 | 0 | |
# | q5 | 1 | 12 |
#
# **Work out recall@5 of each question.** You know q1 already. Over q4 three people disagree. One writes 0: nothing was found. One
# writes 1: nothing was missed. One writes `None`, Python's word for "no value", without quotes. Which of them do you join?

# %% label="02.sheet_per_query" tags=["exercise"]
recall_per_query = {"q1": ..., "q2": ..., "q3": ..., "q4": ..., "q5": ...}

check("02.sheet_per_query", recall_per_query)

# %% label="02.sheet_per_query" tags=["solution"]
# Hits in the top 5: two of 4, three of 4, five of 20, and q5's only one comes at rank 12, too late.
# For q4 there is nothing to find, so there is no share of it.
recall_per_query = {"q1": 2 / 4, "q2": 3 / 4, "q3": 5 / 20, "q4": None, "q5": 0 / 1}

# %% [markdown]
# ### A question with nothing to find
#
# q4 is a good question that the handbook doesn't answer. Its recall would be 0/0. That is not zero and not one; it is
# **[undefined](glossary.ipynb#Undefined)**. `recall_lab` answers with `None`:

# %%
print(recall_at_k(["x", "y", "z"], [], k=5))

# %% [markdown]
# ### The mean over questions
#
# When we average, q4 is left out, and we **say out loud that we left it out**. The usual average adds up the recalls and
# divides by how many there are, so every question counts the same. This is the
# **[macro mean](glossary.ipynb#Macro-mean)**.
#
# **What is the mean recall@5 of the sheet?** You may type the whole sum and let Python do it, for instance `(1/2 + 1/3) / 2`.

# %% label="02.sheet_mean" tags=["exercise"]
mean_recall_at_5 = ...

check("02.sheet_mean", mean_recall_at_5)

# %% label="02.sheet_mean" tags=["solution"]
# Four questions have a recall; q4 has none and stays out of the mean.
mean_recall_at_5 = (2 / 4 + 3 / 4 + 5 / 20 + 0) / 4

# %% [markdown]
# ### Which questions count
#
# How much can one silent habit change? Compare leaving q4 out with scoring it zero:

# %%
print("left out:       ", (2 / 4 + 3 / 4 + 5 / 20 + 0) / 4)
print("counted as zero:", (2 / 4 + 3 / 4 + 5 / 20 + 0 + 0) / 5)

# %% [markdown]
# The same search, .375 or .300. Neither number is a lie, but only one of them is about the search: no retriever could have
# done better on q4.

# %% [markdown]
# ## Hit rate is not recall
#
# Some people use the word recall for another number: the share of questions with **at least one** relevant passage in
# the top k. Its proper name is **[hit rate](glossary.ipynb#Hit-rate)**. As with recall, q4 stays out.
#
# **Guess first. On the hand sheet at k = 5, will hit rate be lower than mean recall, equal, or higher?** Write `"lower"`,
# `"equal"` or `"higher"`.

# %% label="02.predict_hit_rate" tags=["exercise"]
my_guess = ...

predict("02.predict_hit_rate", my_guess)

# %% label="02.predict_hit_rate" tags=["solution"]
my_guess = "higher"

# %% [markdown]
# **Now work it out: what is the hit rate at 5 of the sheet?**

# %% label="02.sheet_hit_rate" tags=["exercise"]
hit_rate_at_5 = ...

check("02.sheet_hit_rate", hit_rate_at_5)

# %% label="02.sheet_hit_rate" tags=["solution"]
# q1, q2 and q3 have a hit in the top 5, q5 has none. q4 is left out.
hit_rate_at_5 = 3 / 4

# %% [markdown]
# It is higher: twice the mean recall of .375. How did your guess do?
#
# See where the difference comes from. We search for every question of the dataset. Among those with R = 1 whose answer is in the
# top 5, we pick the one where it comes latest. (You need not read this cell, only run it.)

# %%
full_run = retriever.run(golden.questions, depth=20)
evaluation = evaluate(golden, full_run)

table = evaluation.per_query(5)
found = table[(table["relevant"] == 1) & (table["hit_rate"] == 1)]
single = found["first_rank"].idxmax()
print(single, golden.questions[single])

# %% [markdown]
# The next two cells show the top 5 of this question and of the petrol question, and **link** them: move k in either one and the
# other follows. Watch recall and hit rate in both. (Again, no need to read the code.)

# %%
one_answer = RankedListView.for_question(golden, full_run, single, depth=5)
many_answers = RankedListView.for_question(golden, full_run, question_id, depth=5)
link = jslink((one_answer, "k"), (many_answers, "k"))

one_answer

# %%
many_answers

# %% [markdown]
# In the first, recall jumps from 0 to 1 at a single rank, together with the hit rate. In the second, hit rate is satisfied with the
# first hit while recall goes on counting.
#
# Hit rate asks for one passage; recall asks for all of them. So hit rate is the *easier* test: for each question, and for the mean
# over questions, it is at least as high as recall. Both are useful, and they are the same number when every question has exactly one
# relevant passage.

# %% [markdown]
# ## The ceiling
#
# Look at q3 once more. Its first five passages are all relevant. No search in the world could do better at k = 5, and yet
# recall@5 is only 5/20, because 20 passages don't fit into five places.
#
# The best recall that any search could reach is the **[ceiling](glossary.ipynb#Ceiling)**:
#
# $$\text{ceiling@}k \;=\; \frac{\text{the smaller of } k \text{ and } R}{R}$$
#
# **What is the mean ceiling at 5 of the sheet?** Work it out for q1, q2, q3 and q5, then average. (q4 has none.)

# %% label="02.sheet_ceiling" tags=["exercise"]
ceiling_at_5 = ...

check("02.sheet_ceiling", ceiling_at_5)

# %% label="02.sheet_ceiling" tags=["solution"]
# Only q3 has more relevant passages than places. The others could be found in full.
ceiling_at_5 = (4 / 4 + 4 / 4 + 5 / 20 + 1 / 1) / 4

# %% [markdown]
# So a recall@5 of .375 doesn't compare with 1, it compares with this ceiling. A score that is reported without its ceiling
# hides how much was possible. [Lesson 05](05_the_k_cap_trap.ipynb) is about the damage that does.

# %% [markdown]
# ## On real text
#
# Back to the petrol question, with the search live. The cell prints the top 5, and says how many relevant passages exist.

# %%
top = [passage_id for passage_id, score in retriever.search(question, depth=10)]

print("R =", len(relevant))
for rank, passage_id in enumerate(top[:5], start=1):
    mark = "relevant" if passage_id in relevant else "-"
    print(f"{rank}  {mark:8}  {golden.passages[passage_id].title}")

# %% [markdown]
# **What is recall@5?** Count, or let Python count for you with `recall_at_k(top, relevant, 5)`. Better still, do both.

# %% label="02.real_question" tags=["exercise"]
real_recall_at_5 = ...

check("02.real_question", real_recall_at_5)

# %% label="02.real_question" tags=["solution"]
real_recall_at_5 = recall_at_k(top, relevant, 5)

# %% [markdown]
# What did the top 5 miss? Here are two of the misses. Read them beside the question, and remember that this search
# compares words.

# %%
print(question)
for passage_id in sorted(relevant - set(top[:5]))[:2]:
    print()
    print(golden.passages[passage_id].title)
    print(golden.passages[passage_id].text)

# %% [markdown]
# And here is the search measured over all questions of the dataset, the way you would report it: the mean with its k, its
# ceiling, how many questions took part, and what `recall_lab` noticed on the way.

# %%
print(f"recall@5  {evaluation.recall(5):.3f}   (macro mean over {evaluation.n} questions)")
print(f"ceiling@5 {evaluation.ceiling(5):.3f}")
print()
for notice in evaluation.notices:
    print("-", notice)

# %% [markdown]
# The notices speak the language of search people: a *query* is a question, a *document* is a passage, and a
# *[grade](glossary.ipynb#Grade)* says how well a passage answers (2 is yes). The first tells of questions like q4 on the hand sheet. The
# second tells of questions for which the search found no passage with a word in common: it returned nothing, and nothing found counts 0.

# %% [markdown]
# ### By your own judgments
#
# If you made a golden dataset in [lesson 01](01_build_a_golden_dataset.ipynb), here is the same search measured with it. Compare with the
# number above.

# %% tags=["nbval-ignore-output"] reason="Every learner's own dataset gives other numbers."
own = evaluate(own_golden(golden), full_run)

print(f"recall@5  {own.recall(5):.3f}   (macro mean over {own.n} questions)")

# %% [markdown]
# Don't read too much into a difference. Your dataset has a few questions, and a passage that you never judged counts as not relevant,
# however well it answers. A recall is always a share of what somebody judged.

# %% [markdown]
# ## Checkpoint
#
# Without looking back. For a question R = 4. Three of the four are found at ranks 1, 3 and 4, the fourth at rank 8.
#
# **What is recall@5?**

# %% label="02.three_of_four" tags=["exercise"]
recall_at_5 = ...

check("02.three_of_four", recall_at_5)

# %% label="02.three_of_four" tags=["solution"]
# Three of the four that exist.
recall_at_5 = 3 / 4

# %% [markdown]
# **And precision@10?**

# %% label="02.three_of_four_precision" tags=["exercise"]
precision_at_10 = ...

check("02.three_of_four_precision", precision_at_10)

# %% label="02.three_of_four_precision" tags=["solution"]
# By rank 10 all four are found, in ten places.
precision_at_10 = 4 / 10

# %% [markdown]
# ## Where this goes wrong in practice
#
# A team reports that its assistant finds the right paragraphs: "recall@5 is 75 %". Users complain that answers are
# incomplete. Both are right. The team's script asks for each question *is there a relevant paragraph in the top 5?* and
# counts the yeses. That is the hit rate. Their questions need several paragraphs each, and the script is content with
# one.
#
# You have seen these numbers. The hand sheet has a hit rate of .75 and a recall of .375: half of what was celebrated.
#
# So when somebody shows you a recall, ask four things: at which k, over how many questions, averaged how, and under which
# ceiling?

# %%
print(f"hit rate {3 / 4:.0%}, recall {(2 / 4 + 3 / 4 + 5 / 20 + 0) / 4:.1%}")

# %% [markdown]
# ## One sentence to take away
#
# **Recall@k is what you found in the top k, divided by everything there was to find, and it means nothing until you know
# both.**
#
# Next: [03 · Recall in code](03_recall_in_code.ipynb), where you write it yourself and find the bugs in other people's.
