"""The k-cap mixer: what a perfect retriever reaches when questions have more relevant passages than k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from recall_lab.errors import RecallLabError
from recall_lab.measures import achievable_recall_at_k, check_k
from recall_lab.widgets.view import Choice, View, Whole, front_end
from recall_lab.widgets.wording import about, count, equals

if TYPE_CHECKING:
    import pandas as pd

HEAVIEST_TABLE = 20_000  # ceilings; more would be too heavy for a page


class KCapMixerView(View):
    """A set of questions answered by a perfect retriever; moving k or the mix moves its mean recall.

    Every relevant passage is ranked before every other one, so nothing but the cutoff can keep recall
    below 1. Some of the questions have ``small`` relevant passages, the others ``large``.

    Parameters
    ----------
    k : the cutoff to start with.
    many : how many of the questions have ``large`` relevant passages, to start with.
    large : number of relevant passages of the large questions, to start with; one of ``sizes``.
    small : number of relevant passages of the others.
    questions : how many questions there are.
    k_max : the largest cutoff.
    sizes : what ``large`` can be moved to.

    Raises
    ------
    RecallLabError : a number is out of range or not whole.

    Examples
    --------
    >>> view = KCapMixerView(k=10, questions=2, many=1, small=2, large=30)
    >>> print(view.text)
    Perfect retriever, k = 10: 1 question with R = 2, 1 question with R = 30
    mean recall@10 = its ceiling ≈ .667 · R = 2: 2/2 = 1 · R = 30: 10/30 ≈ .333
    """

    title = "k-cap mixer"
    _esm = front_end("kcap_mixer.js")
    k = Whole()
    many = Whole()
    large = Choice()

    def __init__(
        self,
        *,
        k: int = 10,
        many: int = 0,
        large: int = 30,
        small: int = 2,
        questions: int = 10,
        k_max: int = 50,
        sizes: Sequence[int] = (5, 10, 20, 30, 50, 100),
    ) -> None:
        for name, number in {"small": small, "questions": questions, "k_max": k_max}.items():
            check_k(number, name)
        sizes = [check_k(size, "size") for size in sizes]
        if len(sizes) * (questions + 1) * k_max > HEAVIEST_TABLE:
            raise RecallLabError(
                f"{questions} questions, k_max {k_max} and {len(sizes)} sizes are too many for a view"
            )
        data = {
            "questions": questions,
            "small": small,
            # by k, then R, then how many questions have it
            "means": [
                {str(size): _means(small, size, questions, cutoff) for size in sizes}
                for cutoff in range(1, k_max + 1)
            ],
            "single": [
                {str(size): _single(size, cutoff) for size in (small, *sizes)}
                for cutoff in range(1, k_max + 1)
            ],
        }
        super().__init__(
            data=data,
            ranges={"k": (1, k_max), "many": (0, questions)},
            options={"large": sizes},
            k=k,
            many=many,
            large=large,
        )

    @property
    def state(self) -> dict[str, Any]:
        """The mix, k, and the mean ceiling: what a perfect retriever reaches."""
        return {
            "k": self.k,
            "many": self.many,
            "large": self.large,
            "ceiling": self.data["means"][self.k - 1][str(self.large)][self.many]["value"],
        }

    def table(self) -> pd.DataFrame:
        """The mean ceiling for every k and mix, with the large questions as they are now."""
        import pandas as pd

        rows = [
            {"k": i + 1, "many": many, "large": self.large, "ceiling": mean["value"]}
            for i, by_size in enumerate(self.data["means"])
            for many, mean in enumerate(by_size[str(self.large)])
        ]
        return pd.DataFrame(rows)

    @property
    def text(self) -> str:
        """The mix and its ceiling in words."""
        small, single = self.data["small"], self.data["single"][self.k - 1]
        few = self.data["questions"] - self.many
        mean = self.data["means"][self.k - 1][str(self.large)][self.many]["value"]
        each = " · ".join(f"R = {size}: {single[str(size)]['written']}" for size in (small, self.large))
        return (
            f"Perfect retriever, k = {self.k}: {count(few, 'question')} with R = {small}, "
            f"{count(self.many, 'question')} with R = {self.large}\n"
            f"mean recall@{self.k} = its ceiling {equals(mean)} · {each}"
        )


def _means(small: int, large: int, questions: int, k: int) -> list[dict[str, Any]]:
    """The mean ceiling for 0, 1, … all questions with ``large`` relevant passages."""
    values = (
        achievable_recall_at_k([small] * (questions - many) + [large] * many, k)
        for many in range(questions + 1)
    )
    return [{"value": value, "written": about(value)} for value in values]


def _single(relevant: int, k: int) -> dict[str, Any]:
    """The ceiling of one question, and how many of its passages fit."""
    fit = min(k, relevant)
    return {"fit": fit, "written": f"{fit}/{relevant} {equals(achievable_recall_at_k(relevant, k))}"}
