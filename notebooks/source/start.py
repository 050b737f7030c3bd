# %% [markdown]
# # Start here
#
# Somewhere a search box, a chatbot or an assistant answers questions from a pile of documents. Before it can
# answer, it has to **find** the right documents. Recall is how you measure whether it did. In this workbook you
# learn to measure it yourself: first with pencil and paper, then in a few lines of Python, then on real text.
#
# You need no statistics and only a little Python. If you have never used a notebook, the next five minutes are
# for you.

# %% [markdown]
# ## How a notebook works
#
# A notebook is a page made of **cells**. This cell is text. The grey cell below is code.
#
# 1. Click into the grey cell.
# 2. Hold **Shift** and press **Enter**.
#
# The code runs, its result appears underneath, and the next cell is selected. That is all there is to it: read,
# press Shift+Enter, read on. Always go from top to bottom; a cell may need what an earlier one prepared.

# %%
print("It works. You have run your first cell.")

# %% [markdown]
# You can change a cell and run it again as often as you like. Try it: put your name between the quotes, then
# Shift+Enter.

# %%
name = "reader"
print("Hello,", name)

# %% [markdown]
# ## How an exercise works
#
# An exercise leaves a blank: `answer = ...`. You put your answer in the place of the three dots and run the cell. The
# last line of the cell checks it and tells you what it saw.
#
# - **Fractions are welcome.** Write `1/3`; Python does the division. (Not `33%`: Python reads the `%` as something else.)
# - **A wrong answer is useful.** The check tries to recognise the mistake and asks you a question about it.
# - **Stuck?** Below each exercise is a cell with two lines that are switched off by a `#` in front. Take away the `#`
#   of `hint(…)` and run it. Run it again for a stronger hint; there are three.
# - **Want to see it done?** `reveal(…)` shows a worked answer. If you solve the exercise only afterwards, your progress says
#   *passed after reveal*. That is a note for you; nobody marks it.
# - **More practice?** Most exercises that ask for numbers can be had with other numbers. In the lesson, make a new cell (the **+** button above the
#   notebook) and run `another("02.recall_by_hand")` in it, with the name of the exercise you want. Below the new numbers stands a line that
#   begins with `check(another(…`. Copy that line into one more new cell, put your answer in the place of its three dots, and run it.
#
# A **prediction** asks for your guess before you see the answer. It is never marked. A guess that turns out wrong
# is the part you will remember.

# %% [markdown]
# ## The lessons
#
# {lessons}
#
# The minutes are an estimate by a plain rule: 150 words a minute, half a minute for each code cell and for each
# pair you label, two minutes for each exercise and six where you write a function, rounded to five minutes. Take as long as you like. Each lesson
# runs on its own, so you may stop after any of them.
#
# In lesson 01 you make a golden dataset of your own, and the lessons after it use yours beside ours. Would you rather measure first? Begin
# with lesson 02 and come back.
#
# Words that are new are explained where they first appear and collected in the [glossary](glossary.ipynb).

# %% [markdown]
# ## Where you are
#
# This shows which exercises you have solved. Your progress is kept in a small file beside the notebooks, so you can
# close everything and come back tomorrow.

# %%
from recall_lab import progress

progress()

# %% [markdown]
# ## When something turns red
#
# Red text is Python telling you that it stopped. Nothing is broken and nothing is lost. Read the **last line** first:
# it says what went wrong.
#
# | the last line says | what happened | what to do |
# |---|---|---|
# | `NameError: name '…' is not defined` | a cell above hasn't been run yet | choose *Run ▸ Run All Above Selected Cell* in the menu |
# | the same, and the name is something you typed | a text without its quotes, or `none` | write `"a"` for a text; `None` has a capital N |
# | `SyntaxError` | a bracket, quote or comma is missing in the cell, or there is a `%` after a number | compare with the cell as it was; Ctrl+Z brings it back. Write `50/100` for 50 % |
# | `ZeroDivisionError` | a fraction has 0 at the bottom | ask what the fraction means: there may be no such number, and you may say so |
# | `ModuleNotFoundError: … 'recall_lab'` | the notebook runs on another Python | choose *Kernel ▸ Change Kernel…* and take *Python 3* |
# | nothing happens, the cell shows `[*]` | it is still running, perhaps for ever | choose *Kernel ▸ Interrupt Kernel* |
# | everything is confused | it happens to everyone | choose *Kernel ▸ Restart Kernel and Run All Cells…* |
#
# **A picture with a slider shows only as text?** Run its cell again. If that doesn't help, open a terminal
# (*File ▸ New ▸ Terminal*) and type `recall-lab doctor`. It looks at your installation and says what to mend.
#
# **You have changed a lesson beyond repair?** Close it, and type `recall-lab reset 02` in a terminal, with the number of your
# lesson. You get a clean copy, and your old one is kept beside it.
