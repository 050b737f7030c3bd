"""Files in, plain columns and notices out; and back. Knows nothing of measuring."""

from recall_lab.formats.beir import read_corpus, read_queries
from recall_lab.formats.columns import Corpus, Judgments, Queries, RunColumns
from recall_lab.formats.folder import DatasetColumns, read_dataset, write_dataset
from recall_lab.formats.judgments import read_judgments
from recall_lab.formats.runs import read_run, read_run_in_pieces
from recall_lab.formats.writing import write_corpus, write_golden, write_judgments, write_queries, write_run

__all__ = [
    "Corpus",
    "DatasetColumns",
    "Judgments",
    "Queries",
    "RunColumns",
    "read_corpus",
    "read_dataset",
    "read_judgments",
    "read_queries",
    "read_run",
    "read_run_in_pieces",
    "write_corpus",
    "write_dataset",
    "write_golden",
    "write_judgments",
    "write_queries",
    "write_run",
]
