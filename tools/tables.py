"""Tables from files of any kind."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

TEXT = {".csv", ".tsv", ".tab", ".txt"}
COMPRESSED = {".gz", ".bz2", ".xz", ".zip", ".zst"}
NEEDS = {".parquet": "pyarrow", ".feather": "pyarrow", ".orc": "pyarrow", ".xls": "xlrd", ".ods": "odfpy"}


def read_table(path: str | Path, sheet: str | int = 0, **options: Any) -> DataFrame:
    """Read a table file into a DataFrame: CSV, TSV, Excel, JSON, JSON lines, HTML, XML, SQLite, compressed or not.

    Encoding, delimiter and decimal comma of text files are found out. `sheet` is a sheet of a workbook, a table of a
    SQLite file, or the number of a table on an HTML page. Further options go to the pandas reader behind it.

    >>> read_table("sales.csv").head()
    >>> read_table("budget.xlsx", sheet="2025", skiprows=2)
    """
    import pandas

    file = Path(path)
    kind = _kind(file)
    if kind in TEXT:
        return pandas.read_csv(file, **{**_dialect(file), **options})
    if kind in (".xlsx", ".xlsm", ".xls", ".ods"):
        return _with(kind, lambda: pandas.read_excel(file, sheet_name=sheet, **options))
    if kind in (".jsonl", ".ndjson"):
        return pandas.read_json(file, lines=True, **options)
    if kind == ".json":
        return pandas.read_json(file, **options)
    if kind in (".html", ".htm"):
        markup = file.read_bytes()
        return pandas.read_html(io.StringIO(markup.decode(_encoding(markup[:65536]), "replace")), **options)[int(sheet)]
    if kind == ".xml":
        return pandas.read_xml(file, **options)
    if kind in (".db", ".sqlite", ".sqlite3"):
        return _from_sqlite(file, sheet, **options)
    if kind in (".parquet", ".feather", ".orc"):
        return _with(kind, lambda: getattr(pandas, f"read_{kind[1:]}")(file, **options))
    raise ValueError(f"{file.name}: {kind or 'a file without an extension'} is not a table format that read_table knows.")


def profile_table(table: DataFrame) -> DataFrame:
    """Describe a table, one row per column: type, missing and distinct values, smallest, largest, an example.

    >>> profile_table(read_table("sales.csv"))
    """
    import pandas

    def describe(column: Any) -> dict[str, Any]:
        present = column.dropna()
        ordered = len(present) > 0 and column.dtype.kind in "iufMm"
        return {
            "type": str(column.dtype),
            "missing": int(column.isna().sum()),
            "distinct": int(present.astype(str).nunique()),
            "min": present.min() if ordered else None,
            "max": present.max() if ordered else None,
            "example": present.iloc[0] if len(present) else None,
        }

    rows = [describe(table.iloc[:, at]) for at in range(table.shape[1])]
    return pandas.DataFrame(rows, index=pandas.Index(table.columns, name="column"))


def _kind(file: Path) -> str:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _dialect(file: Path) -> dict[str, Any]:
    """What has to be known about a text file to read it, from its beginning."""
    if file.suffix.lower() in COMPRESSED:
        return {"sep": "\t" if ".tsv" in file.name.lower() else ","}
    with file.open("rb") as opened:
        head = opened.read(65536)
    encoding = _encoding(head)
    text = head.decode(encoding, errors="ignore")
    lines = "\n".join(text.splitlines()[:50])
    try:
        separator = csv.Sniffer().sniff(lines, delimiters=",;\t|").delimiter
    except csv.Error:
        separator = "\t" if _kind(file) in (".tsv", ".tab") else ","
    comma = separator == ";" and re.search(r"\d,\d", lines) and not re.search(r"\d\.\d+(;|$)", lines, re.MULTILINE)
    return {"encoding": encoding, "sep": separator, **({"decimal": ","} if comma else {})}


def _encoding(head: bytes) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    try:
        # The last character may be cut in half.
        head[: len(head) - 3 if len(head) == 65536 else None].decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _from_sqlite(file: Path, table: str | int, **options: Any) -> DataFrame:
    import sqlite3
    from contextlib import closing

    import pandas

    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as database:
        names = [name for (name,) in database.execute("select name from sqlite_master where type in ('table', 'view')")]
        name = names[table] if isinstance(table, int) else table
        if name not in names:
            raise ValueError(f"{file.name} has no table {name}; it has {', '.join(names)}.")
        quoted = name.replace('"', '""')
        return pandas.read_sql_query(f'select * from "{quoted}"', database, **options)


def _with(kind: str, read: Any) -> DataFrame:
    try:
        return read()
    except ImportError as error:
        package = NEEDS.get(kind, "the package it names")
        raise ImportError(f"{kind} files need {package}: install it with install_dependencies first.") from error
