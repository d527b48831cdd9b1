"""Charts that look alike: quiet, labelled, readable for colour-blind people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame, Series

OUTPUTS = Path("/workspace/outputs")
COLOURS = ["#0c6b63", "#d9822b", "#3b6fb6", "#b5446e", "#7a8f2a", "#6b5aa8", "#5a6360"]
HOUSE = {
    "figure.figsize": (8, 4.5),
    "figure.dpi": 110,
    "savefig.dpi": 160,
    "savefig.bbox": "tight",
    "figure.constrained_layout.use": True,
    "font.size": 10.5,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8a928f",
    "axes.labelcolor": "#3a4240",
    "xtick.color": "#3a4240",
    "ytick.color": "#3a4240",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e6e2",
    "grid.linewidth": 0.8,
    "lines.linewidth": 2,
    "legend.frameon": False,
}


def line_chart(table: DataFrame, x: str, y: str | list[str], title: str = "", **labels: str) -> Figure:
    """Draw one line per column of `y` over `x`. Labels: `xlabel`, `ylabel`.

    >>> line_chart(sales, x="month", y=["north", "south"], title="Sales", ylabel="k€")
    """
    figure, axes = _chart(title, x, labels, y)
    for column in [y] if isinstance(y, str) else y:
        axes.plot(table[x], table[column], label=column, linewidth=2)
    return _finish(figure, axes, y)


def bar_chart(
    table: DataFrame, x: str, y: str | list[str], title: str = "", horizontal: bool = False, **labels: str
) -> Figure:
    """Draw bars of `y` for each `x`, side by side for several columns; `horizontal` suits long names.

    >>> bar_chart(totals, x="city", y="amount", title="Amount by city", horizontal=True)
    """
    columns = [y] if isinstance(y, str) else y
    figure, axes = _chart(title, x, labels, y)
    places = range(len(table))
    width = 0.8 / len(columns)
    for at, column in enumerate(columns):
        shifted = [place + (at - (len(columns) - 1) / 2) * width for place in places]
        (axes.barh if horizontal else axes.bar)(shifted, table[column], width, label=column)
    names = [str(name) for name in table[x]]
    if horizontal:
        axes.set_yticks(list(places), names)
        axes.invert_yaxis()
        axes.set_xlabel(labels.get("ylabel", y if isinstance(y, str) else ""))
        axes.set_ylabel(labels.get("xlabel", ""))
    else:
        axes.set_xticks(list(places), names, rotation=35 if sum(map(len, names)) > 70 else 0)
    axes.grid(visible=False, axis="y" if horizontal else "x")
    return _finish(figure, axes, y)


def scatter_chart(table: DataFrame, x: str, y: str, by: str | None = None, title: str = "", **labels: str) -> Figure:
    """Draw a point per row, in one colour per value of `by`.

    >>> scatter_chart(people, x="age", y="income", by="city", title="Income by age")
    """
    figure, axes = _chart(title, x, labels, y)
    groups = [(None, table)] if by is None else table.groupby(by, observed=True)
    for name, rows in groups:
        axes.scatter(rows[x], rows[y], s=26, alpha=0.75, linewidths=0, label=name)
    if by is not None:
        axes.legend(title=by, frameon=False)
    return figure


def histogram(values: Series | list[float], title: str = "", bins: int | str = "auto", **labels: str) -> Figure:
    """Draw how values are distributed, with a line at their median.

    >>> histogram(people["age"], title="Ages", xlabel="years")
    """
    import pandas

    numbers = pandas.Series(values).dropna()
    figure, axes = _chart(title, str(numbers.name or ""), {"ylabel": "count", **labels}, "")
    axes.hist(numbers, bins=bins, edgecolor="white")
    median = float(numbers.median())
    axes.axvline(median, color=COLOURS[1], linestyle="--", label=f"median {median:,.4g}")
    axes.legend(frameon=False)
    return figure


def use_house_style() -> None:
    """Make every later matplotlib chart of this session look like the charts of this package."""
    import matplotlib
    from cycler import cycler

    matplotlib.rcParams.update({**HOUSE, "axes.prop_cycle": cycler(color=COLOURS)})


def save_chart(figure: Figure, name: str) -> Path:
    """Save a figure under /workspace/outputs, where it is kept as an artifact; the name's ending decides the format.

    >>> save_chart(figure, "sales.png")
    """
    path = OUTPUTS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path if path.suffix else path.with_suffix(".png"))
    return path if path.suffix else path.with_suffix(".png")


def _chart(title: str, x: str, labels: dict[str, str], y: str | list[str]) -> tuple[Figure, Any]:
    import matplotlib.pyplot as plt
    from cycler import cycler

    with plt.rc_context({**HOUSE, "axes.prop_cycle": cycler(color=COLOURS)}):
        figure, axes = plt.subplots()
        axes.set_title(title)
        axes.set_xlabel(labels.get("xlabel", x))
        axes.set_ylabel(labels.get("ylabel", y if isinstance(y, str) else ""))
    return figure, axes


def _finish(figure: Figure, axes: Any, y: str | list[str]) -> Figure:
    if not isinstance(y, str) and len(y) > 1:
        axes.legend(frameon=False)
    return figure
