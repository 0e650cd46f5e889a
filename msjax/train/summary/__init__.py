"""Summaries of training runs, as TensorBoard event files."""

from .summary_record import SummaryRecord

__all__ = ["SummaryRecord"]
