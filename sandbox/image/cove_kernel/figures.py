"""A matplotlib backend that draws into results: `plt.show()` shows what is open, and so does a cell's end, once."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import matplotlib
from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase as FigureManager  # noqa: F401 (matplotlib looks for it)
from matplotlib.backends import backend_agg
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas  # noqa: F401

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_shown: set[int] = set()


def use() -> None:
    matplotlib.rcParams["backend"] = "module://" + __name__
    # Who chooses Agg themselves still calls show, and means it there and then.
    backend_agg.show = show
    import warnings

    warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")


def as_png(figure: Figure) -> bytes:
    """How a figure is displayed; after that it counts as shown."""
    _shown.add(id(figure))
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    return buffer.getvalue()


def show(*args: object, **kwargs: object) -> None:
    """Shows every open figure that hasn't been in this cell, and closes them all."""
    from IPython.display import display

    try:
        for manager in Gcf.get_all_fig_managers():
            figure = manager.canvas.figure
            if id(figure) not in _shown and (figure.axes or figure.get_children()[1:]):
                display(figure)
    finally:
        Gcf.destroy_all()


def forget_shown() -> None:
    _shown.clear()
