"""Small functions for work that comes up again and again. `from tools import read_table` works in every cell and script."""

from tools.charts import bar_chart, histogram, line_chart, save_chart, scatter_chart, use_house_style
from tools.documents import extract_text
from tools.sql import query
from tools.tables import profile_table, read_table
from tools.web import NotAllowed, fetch

__all__ = [
    "read_table",
    "profile_table",
    "query",
    "line_chart",
    "bar_chart",
    "scatter_chart",
    "histogram",
    "use_house_style",
    "save_chart",
    "extract_text",
    "fetch",
    "NotAllowed",
]
