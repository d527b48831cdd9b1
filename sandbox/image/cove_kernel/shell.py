"""IPython's shell, with results and tracebacks going where we want them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING

# Completion does without it: it guesses from source, and importing it costs a tenth of a second and ten megabytes.
sys.modules["jedi"] = None  # type: ignore[assignment]  # documented: an import of it fails
from IPython.core import page  # noqa: E402
from IPython.core.displayhook import DisplayHook  # noqa: E402
from IPython.core.displaypub import DisplayPublisher  # noqa: E402
from IPython.core.error import StdinNotImplementedError  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from traitlets.config import Config  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import NoReturn, Protocol

    from matplotlib.figure import Figure

    from cove_kernel.results import Results

    class Chart(Protocol):
        def to_dict(self) -> dict[str, object]: ...


del sys.modules["jedi"]

_FORMATTING = ("/IPython/core/formatters.py", "/IPython/lib/pretty.py")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def make_shell() -> Shell:
    config = Config()
    config.HistoryManager.enabled = False
    shell: Shell = Shell.instance(config=config, colors="NoColor")
    shell.set_hook("show_in_pager", page.as_hook(page.display_page), 99)
    png = shell.display_formatter.formatters["image/png"]
    png.for_type_by_name("matplotlib.figure", "Figure", _figure_as_png)
    bundles = shell.display_formatter.mimebundle_formatter
    for version in ("v5", "v6"):
        bundles.for_type_by_name(f"altair.vegalite.{version}.api", "TopLevelMixin", _chart_as_data)
    # Figures as data, which pages draw by themselves, rather than as a page with a script of megabytes.
    os.environ.setdefault("PLOTLY_RENDERER", "plotly_mimetype")
    warnings.filterwarnings("ignore", message="To exit: use")
    return shell


class _Publisher(DisplayPublisher):
    def publish(self, data: Mapping[str, object], metadata: object = None, **kwargs: object) -> None:
        self.shell.results.publish(data)

    def clear_output(self, wait: bool = False) -> None:
        return


class _Hook(DisplayHook):
    """The value of a cell's last expression is a result, not a line of output."""

    def write_output_prompt(self) -> None:
        return

    def compute_format_data(self, result: object) -> tuple[Mapping[str, object], Mapping[str, object]]:
        shown, details = super().compute_format_data(result)
        return shown or {"text/plain": f"<{type(result).__name__} that can't be shown: its repr failed>"}, details

    def write_format_data(self, format_dict: Mapping[str, object], md_dict: object = None) -> None:
        self.shell.results.publish(format_dict, value=True)

    def finish_displayhook(self) -> None:
        return


class Shell(InteractiveShell):
    results: Results
    owner: int | None = None

    def init_display_pub(self) -> None:
        self.display_pub = _Publisher(parent=self, shell=self)

    def init_displayhook(self) -> None:
        self.displayhook_class = _Hook
        super().init_displayhook()

    def init_virtualenv(self) -> None:
        # The session looks after the user's environment by itself.
        return

    def init_io(self) -> None:
        return

    def enable_matplotlib(self, gui: str | None = None) -> tuple[str | None, str]:
        """Figures are shown as they are; there is no window to choose."""
        return None, "inline"

    def enable_gui(self, gui: str | None = None) -> None:
        return

    def showtraceback(self, exc_tuple: object = None, **options: object) -> None:
        etype, value, trace = self._get_exc_info(exc_tuple)
        if issubclass(etype, KeyboardInterrupt) and os.getpid() != self.owner:
            # A fork of the session: the session itself says that it was interrupted, and once is enough.
            os._exit(130)
        # An object that can't be shown: how IPython came to ask it is of no interest.
        while _is_formatting(trace) and trace.tb_next is not None:
            trace = trace.tb_next
            options["tb_offset"] = 0
        if not issubclass(etype, SystemExit):
            super().showtraceback((etype, value, trace), **options)

    def _showtraceback(self, etype: object, evalue: object, stb: list[str]) -> None:
        sys.stderr.write(_ANSI.sub("", self.InteractiveTB.stb2text(stb)).rstrip("\n") + "\n")

    def system(self, cmd: str) -> None:
        """`!command`: its output is the cell's, as it comes."""
        command = self.var_expand(cmd, depth=1)
        sys.stdout.flush()
        process = subprocess.Popen(command, shell=True, executable="/bin/bash", stdin=subprocess.DEVNULL)
        try:
            self.user_ns["_exit_code"] = process.wait()
        except BaseException:
            process.kill()
            raise

    system_raw = system_piped = system


def refuse_input(prompt: object = "", *args: object, **kwargs: object) -> NoReturn:
    raise StdinNotImplementedError(
        "input() gets no answer here, as nobody sits at a keyboard: write the value into the code."
    )


def _is_formatting(trace: TracebackType | None) -> bool:
    return trace is not None and trace.tb_frame.f_code.co_filename.endswith(_FORMATTING)


def _figure_as_png(figure: Figure) -> bytes:
    from cove_kernel import figures

    return figures.as_png(figure)


def _chart_as_data(chart: Chart, include: object = None, exclude: object = None) -> dict[str, object]:
    return {"application/vnd.vegalite.v6+json": chart.to_dict()}
