"""``recall-lab validate``: look over a golden set as a careful person would."""
