"""Tables from files of any kind."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import zipfile
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pandas import DataFrame

TEXT = {".csv", ".tsv", ".tab", ".txt"}
OPENERS: dict[str, Callable[[Path, Any], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
# So much of a file is looked at to find out how it is written.
HEAD = 65536
COMPRESSED = {*OPENERS, ".zip", ".zst"}
NEEDS = {
    ".parquet": "pyarrow",
    ".feather": "pyarrow",
    ".orc": "pyarrow",
    ".xls": "xlrd",
    ".ods": "odfpy",
    ".zst": "zstandard",
}


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
        return _with(kind, lambda: pandas.read_excel(_unpacked(file), sheet_name=sheet, **options))
    if kind in (".jsonl", ".ndjson"):
        return pandas.read_json(_unpacked(file), lines=True, **options)
    if kind == ".json":
        return pandas.read_json(_unpacked(file), **options)
    if kind in (".html", ".htm"):
        with _opened(file) as opened:
            markup = opened.read()
        return pandas.read_html(io.StringIO(markup.decode(_encoding(markup[:HEAD]), "replace")), **options)[int(sheet)]
    if kind == ".xml":
        return pandas.read_xml(_unpacked(file), **options)
    if kind in (".db", ".sqlite", ".sqlite3"):
        return _from_sqlite(file, sheet, **options)
    if kind in (".parquet", ".feather", ".orc"):
        return _with(kind, lambda: getattr(pandas, f"read_{kind[1:]}")(_unpacked(file), **options))
    raise ValueError(
        f"{file.name}: {kind or 'a file without an extension'} is not a table format that read_table knows."
    )


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


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked as they are read."""
    packing = file.suffix.lower()
    if packing == ".zip":
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            if len(names) != 1:
                raise ValueError(f"{file.name} holds {len(names)} files: unpack it and read the one you want.")
            with archive.open(names[0]) as opened:
                yield opened
    elif packing == ".zst":
        zstandard = _with(".zst", lambda: import_module("zstandard"))
        with zstandard.open(file, "rb") as opened:
            yield opened
    else:
        with OPENERS.get(packing, open)(file, "rb") as opened:
            yield opened


def _unpacked(file: Path) -> Path | io.BytesIO:
    if file.suffix.lower() not in COMPRESSED:
        return file
    with _opened(file) as opened:
        return io.BytesIO(opened.read())


def _dialect(file: Path) -> dict[str, Any]:
    """What has to be known about a text file to read it, from its beginning."""
    with _opened(file) as opened:
        head = opened.read(HEAD)
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
        head[: len(head) - 3 if len(head) == HEAD else None].decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _from_sqlite(file: Path, table: str | int, **options: Any) -> DataFrame:
    import pandas

    with closing(_database(file)) as database:
        names = [name for (name,) in database.execute("select name from sqlite_master where type in ('table', 'view')")]
        name = names[table] if isinstance(table, int) else table
        if name not in names:
            raise ValueError(f"{file.name} has no table {name}; it has {', '.join(names)}.")
        quoted = name.replace('"', '""')
        return pandas.read_sql_query(f'select * from "{quoted}"', database, **options)


def _database(file: Path) -> Any:
    import sqlite3

    if file.suffix.lower() not in COMPRESSED:
        return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
    database = sqlite3.connect(":memory:")
    with _opened(file) as opened:
        database.deserialize(opened.read())
    return database


def _with(kind: str, read: Any) -> Any:
    try:
        return read()
    except ImportError as error:
        package = NEEDS.get(kind, "the package it names")
        raise ImportError(f"{kind} files need {package}: install it with install_dependencies first.") from error
