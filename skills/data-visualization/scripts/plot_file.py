#!/usr/bin/env python3
"""Draw columns of a table file in the house style and save the chart under /workspace/outputs."""

import argparse

from tools import bar_chart, histogram, line_chart, read_table, save_chart, scatter_chart

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file")
parser.add_argument("x")
parser.add_argument("y", nargs="*")
parser.add_argument("--kind", choices=["line", "bar", "scatter", "histogram"], default="line")
parser.add_argument("--title", default="")
parser.add_argument("--out", default="chart.png")
given = parser.parse_args()

table = read_table(given.file)
missing = [name for name in [given.x, *given.y] if name not in table.columns]
if missing:
    parser.error(f"no column {', '.join(missing)}; there are {', '.join(map(str, table.columns))}")
if given.kind == "histogram":
    figure = histogram(table[given.x], title=given.title, xlabel=given.x)
elif not given.y:
    parser.error("name at least one column to draw")
elif given.kind == "scatter":
    figure = scatter_chart(table, x=given.x, y=given.y[0], title=given.title)
else:
    draw = line_chart if given.kind == "line" else bar_chart
    figure = draw(table, x=given.x, y=given.y if len(given.y) > 1 else given.y[0], title=given.title)
print(save_chart(figure, given.out))
