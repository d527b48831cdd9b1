"""What a session does before its first cell."""

from __future__ import annotations

import builtins
import getpass
import importlib.util
import os
import random
import sys
from typing import TYPE_CHECKING

from cove_kernel.environment import PLACES

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from cove_kernel.environment import Environment
    from cove_kernel.shell import Shell

WORKSPACE = "/workspace"
# A session leaves its name here, so that the next of that name can tell that variables were lost.
TRACES = WORKSPACE + "/.cache/cove/sessions"


def enter_workspace() -> None:
    try:
        os.chdir(WORKSPACE)
    except OSError:
        os.chdir("/")


def leave_trace(name: str) -> bool:
    """Whether there has been a session of this name before."""
    try:
        os.makedirs(TRACES, exist_ok=True)
        os.close(os.open(f"{TRACES}/{name}", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return True
    except OSError:
        return False
    return False


def settle_in(shell: Shell) -> None:
    """What must not be shared between forks, and what a session does without."""
    from cove_kernel.shell import refuse_input

    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    builtins.input = getpass.getpass = refuse_input
    shell.user_ns.update(exit=sys.exit, quit=sys.exit)
    # As in any interactive Python: what lies in the working directory can be imported.
    sys.path[:] = [""] + [path for path in sys.path if path != "/usr/lib/cove"]
    sys.argv = [""]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  stays open


def plain_shell(environment: Environment) -> Shell:
    """A shell with nothing imported in advance, from the user's packages where they have some."""
    environment.refresh()
    try:
        shell = _import_shell()
    except Exception:
        # Something of theirs is in the way: it is left out of the shell, not out of the session.
        environment.leave_out()
        _forget_what_failed()
        shell = _import_shell()
    sys.meta_path.insert(0, _WhenMatplotlibComes())
    return shell


def _import_shell() -> Shell:
    from cove_kernel.shell import make_shell

    return make_shell()


def _forget_what_failed() -> None:
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if file.startswith(tuple(PLACES)) or name.startswith(("IPython", "traitlets", "cove_kernel.shell")):
            del sys.modules[name]


class _WhenMatplotlibComes:
    """Has matplotlib draw into results as soon as it is imported."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != "matplotlib":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_use(module: ModuleType) -> None:
                load(module)
                from cove_kernel import figures

                figures.use()

            spec.loader.exec_module = load_and_use  # type: ignore[method-assign]  # of this one module's loader
        return spec
