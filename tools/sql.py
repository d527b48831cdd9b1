"""SQL over files and tables."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.tables import read_table

if TYPE_CHECKING:
    from pandas import DataFrame


def query(sql: str, parameters: Any = (), **tables: str | Path | DataFrame) -> DataFrame:
    """Run SQL (SQLite's) over files and DataFrames; each is a table under the name it is given here.

    >>> query("select city, sum(amount) as total from sales group by city order by total desc", sales="sales.csv")
    >>> query("select * from a join b using (id) where a.x > ?", [3], a=frame, b="b.xlsx")
    """
    import pandas

    with closing(sqlite3.connect(":memory:")) as database:
        for name, table in tables.items():
            frame = read_table(table) if isinstance(table, str | Path) else table
            frame.to_sql(name, database, index=False)
        return pandas.read_sql_query(sql, database, params=parameters)
