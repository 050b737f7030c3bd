# %% [markdown]
# # Glossary
#
# Each word as this workbook uses it, with the other names you may meet. The lesson in brackets treats it in full.

# %% [markdown]
# ## Question
#
# What somebody asks. Search people say **query**.

# %% [markdown]
# ## Passage
#
# The piece of text a search hands back: a paragraph, a page, an item card. Search people say **document**, whatever
# its size.

# %% [markdown]
# ## Retriever
#
# The part of a system that takes a question and hands back passages, best first. A **keyword retriever** compares
# words. Ours uses BM25, the formula behind most search boxes: a passage scores for each word it shares with the
# question, more for a rare word, less if the passage is long.

# %% [markdown]
# ## Vector search
#
# A retriever that turns texts into **vectors**, lists of numbers made by a language model, so that texts of like meaning
# lie close together. It ranks every passage by its distance from the question. Also called dense or semantic search.

# %% [markdown]
# ## Fusion
#
# Mixing the ranked lists of two retrievers into one; the mixture is a **hybrid** search. Ours is reciprocal rank fusion: a passage
# gets one over (60 + its rank) from each list that holds it, and the sum decides.

# %% [markdown]
# ## Ranked list
#
# The passages a retriever hands back for one question, best first. Each has a **score** (how well the retriever
# likes it) and a **rank** (its place, counted from 1).

# %% [markdown]
# ## Run
#
# The ranked lists of one retriever for a whole set of questions.

# %% [markdown]
# ## Cutoff k
#
# How far down the ranked list you look. "The top k" are the first k passages. The little k in recall@k is always
# this number.

# %% [markdown]
# ## Depth
#
# How many passages a ranked list holds. Beyond its depth there is nothing to look at, however large k is.

# %% [markdown]
# ## Judgment
#
# Somebody's decision about one question and one passage: does this passage answer it? A set of judgments is called
# **qrels**, short for query relevance. A passage nobody judged is **unjudged**; it counts as not relevant, which may
# be unfair to it.

# %% [markdown]
# ## Grade
#
# A judgment as a whole number. In the library of things 0 means no, 1 partly or outdated, 2 yes.

# %% [markdown]
# ## Rubric
#
# The written rule by which grades are given, made before the first pair is read. ([Lesson 01](01_build_a_golden_dataset.ipynb))

# %% [markdown]
# ## Kappa
#
# How far two annotators agree beyond chance: raw agreement minus agreement by chance, divided by one minus agreement by chance. 1 is full
# agreement, 0 what loaded dice would reach. It depends on the pairs. ([Lesson 01](01_build_a_golden_dataset.ipynb))

# %% [markdown]
# ## Adjudication
#
# Giving a final grade, with its reason, to a pair on which two annotators differ. The first labels are kept.
# ([Lesson 01](01_build_a_golden_dataset.ipynb))

# %% [markdown]
# ## Relevant
#
# A passage whose grade reaches the threshold stored with the data set. For the library of things that is grade 2.

# %% [markdown]
# ## R
#
# The number of relevant passages that exist for a question, found or not.

# %% [markdown]
# ## Golden dataset
#
# Passages, questions, and judgments that say which passages answer which question. Without it there is no
# denominator, so recall can't be computed. ([Lesson 01](01_build_a_golden_dataset.ipynb))

# %% [markdown]
# ## Hit
#
# A relevant passage in the top k. A relevant passage that isn't there is a **miss**.

# %% [markdown]
# ## Recall
#
# Of all relevant passages that exist, the share found in the top k. Written recall@k. ([Lesson 02](02_recall_by_hand.ipynb))
#
# $$\text{recall@}k = \frac{\text{relevant passages in the top } k}{R}$$

# %% [markdown]
# ## Precision
#
# Of the top k places, the share that holds a relevant passage. Written precision@k. ([Lesson 02](02_recall_by_hand.ipynb))
#
# $$\text{precision@}k = \frac{\text{relevant passages in the top } k}{k}$$

# %% [markdown]
# ## Hit rate
#
# The share of questions with at least one relevant passage in the top k. Some people call it recall@k; it is an easier
# test. ([Lesson 02](02_recall_by_hand.ipynb), [lesson 06](06_macro_micro_hit_rate.ipynb))

# %% [markdown]
# ## Undefined
#
# The recall of a question with R = 0. There is nothing to find, so there is no share of it. Recall Lab gives `None`,
# leaves the question out of the mean, and says so. ([Lesson 02](02_recall_by_hand.ipynb))

# %% [markdown]
# ## Ceiling
#
# The recall a perfect retriever would reach at this k: min(k, R) / R, averaged over the questions. Also called
# achievable recall. ([Lesson 05](05_the_k_cap_trap.ipynb))

# %% [markdown]
# ## Capped recall
#
# Hits divided by min(k, R) instead of R. Another measure than recall, so it must be reported under its own name.
# ([Lesson 05](05_the_k_cap_trap.ipynb))

# %% [markdown]
# ## Recall curve
#
# Recall@k for every k, drawn over k. For one question it is a staircase. Read it with its ceiling, the line k/N of a
# random order, and a band. ([Lesson 04](04_recall_curves.ipynb))

# %% [markdown]
# ## Plateau
#
# The flat end of a recall curve below 1, where a retriever has nothing more to return: what is missing can't be reached
# at any k. ([Lesson 04](04_recall_curves.ipynb))

# %% [markdown]
# ## Stop rule
#
# How deep is deep enough: the smallest k from which going on to k_max adds at most ε. It means nothing without its ε, its
# k_max and an interval. ([Lesson 04](04_recall_curves.ipynb))

# %% [markdown]
# ## Bootstrap
#
# Drawing as many questions as there are, each time from all of them, again and again, to see how far a number moves.
# The middle 95 % of the results are its interval. ([Lesson 04](04_recall_curves.ipynb))

# %% [markdown]
# ## Macro mean
#
# Work out recall for each question, then average: every question counts the same. ([Lesson 02](02_recall_by_hand.ipynb),
# [lesson 06](06_macro_micro_hit_rate.ipynb))

# %% [markdown]
# ## Micro mean
#
# Add up all hits, add up all relevant passages, divide once: every relevant passage counts the same, so a question
# with many of them counts for more. ([Lesson 06](06_macro_micro_hit_rate.ipynb))
