#!/usr/bin/env python3
"""tables_to_csv.py ADDRESS_OR_FILE: every HTML table of a page as a CSV file under /workspace/outputs."""

import io
import sys
from pathlib import Path

import pandas as pd
from tools import NotAllowed, fetch

if len(sys.argv) != 2:
    sys.exit(__doc__)
source = sys.argv[1]
try:
    markup = fetch(source).text if source.startswith(("http://", "https://")) else Path(source).read_text()
except NotAllowed as refusal:
    sys.exit(str(refusal))
try:
    tables = pd.read_html(io.StringIO(markup))
except ValueError:
    sys.exit("There is no table on that page.")
for number, table in enumerate(tables, 1):
    path = Path(f"/workspace/outputs/table-{number}.csv")
    table.to_csv(path, index=False)
    print(path, f"{table.shape[0]} rows, {table.shape[1]} columns")
