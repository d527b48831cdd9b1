#!/usr/bin/env python3
"""overview.py FILE [SHEET]: shape, columns, problems and the first rows of a table file."""

import sys

import pandas as pd
from tools import profile_table, read_table

if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
pd.set_option("display.width", 160, "display.max_columns", 30)
table = read_table(*sys.argv[1:])
print(f"{table.shape[0]:,} rows, {table.shape[1]} columns\n")
print(profile_table(table).to_string())
problems = []
if table.duplicated().any():
    problems.append(f"{int(table.duplicated().sum())} rows occur more than once")
for column in table.select_dtypes(["object", "string"]):
    text = table[column].dropna().astype(str)
    if (text != text.str.strip()).any():
        problems.append(f"{column}: spaces around values")
    elif text.str.lower().nunique() < text.nunique():
        problems.append(f"{column}: the same value in different spellings")
print("\nTo look at: " + ("; ".join(problems) if problems else "nothing conspicuous") + "\n")
print(table.head(5).to_string())
