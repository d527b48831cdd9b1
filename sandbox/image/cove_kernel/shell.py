"""IPython's shell, with results and tracebacks going where we want them."""

import os
import re
import subprocess
import sys
import warnings

# Completion does without it: it guesses from source, and importing it costs a tenth of a second and ten megabytes.
sys.modules["jedi"] = None
from IPython.core import page  # noqa: E402
from IPython.core.displayhook import DisplayHook  # noqa: E402
from IPython.core.displaypub import DisplayPublisher  # noqa: E402
from IPython.core.error import StdinNotImplementedError  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from traitlets.config import Config  # noqa: E402

del sys.modules["jedi"]

_FORMATTING = ("/IPython/core/formatters.py", "/IPython/lib/pretty.py")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def make_shell():
    config = Config()
    config.HistoryManager.enabled = False
    shell = Shell.instance(config=config, colors="NoColor")
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
    def publish(self, data, metadata=None, **kwargs):
        self.shell.results.publish(data)

    def clear_output(self, wait=False):
        return


class _Hook(DisplayHook):
    """The value of a cell's last expression is a result, not a line of output."""

    def write_output_prompt(self):
        return

    def compute_format_data(self, result):
        shown, details = super().compute_format_data(result)
        return shown or {"text/plain": f"<{type(result).__name__} that can't be shown: its repr failed>"}, details

    def write_format_data(self, format_dict, md_dict=None):
        self.shell.results.publish(format_dict, value=True)

    def finish_displayhook(self):
        return


class Shell(InteractiveShell):
    results = None
    owner = None

    def init_display_pub(self):
        self.display_pub = _Publisher(parent=self, shell=self)

    def init_displayhook(self):
        self.displayhook_class = _Hook
        super().init_displayhook()

    def init_virtualenv(self):
        # The session looks after the user's environment by itself.
        return

    def init_io(self):
        return

    def enable_matplotlib(self, gui=None):
        """Figures are shown as they are; there is no window to choose."""
        return None, "inline"

    def enable_gui(self, gui=None):
        return

    def showtraceback(self, exc_tuple=None, **options):
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

    def _showtraceback(self, etype, evalue, stb):
        sys.stderr.write(_ANSI.sub("", self.InteractiveTB.stb2text(stb)).rstrip("\n") + "\n")

    def system(self, cmd):
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


def refuse_input(prompt="", *args, **kwargs):
    raise StdinNotImplementedError(
        "input() gets no answer here, as nobody sits at a keyboard: write the value into the code."
    )


def _is_formatting(trace):
    return trace is not None and trace.tb_frame.f_code.co_filename.endswith(_FORMATTING)


def _figure_as_png(figure):
    from cove_kernel import figures

    return figures.as_png(figure)


def _chart_as_data(chart, include=None, exclude=None):
    return {"application/vnd.vegalite.v6+json": chart.to_dict()}
