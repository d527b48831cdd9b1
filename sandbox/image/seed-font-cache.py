"""Builds matplotlib's font cache into the image and lets matplotlib start from it.

Matplotlib insists on a writable cache directory, and the image's root is read-only: the directory is one in /tmp,
and while that holds no cache of the user's own, this one is read.
"""

import os
import py_compile
import tempfile
from pathlib import Path

SEED = Path("/usr/share/cove/matplotlib-fonts.json")

os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp()
from matplotlib import font_manager  # noqa: E402 (builds the cache, in the directory just named)

(cache,) = Path(os.environ["MPLCONFIGDIR"]).glob("fontlist-v*.json")
SEED.parent.mkdir(parents=True, exist_ok=True)
SEED.write_text(cache.read_text())
SEED.chmod(0o644)

source = Path(font_manager.__file__)
reads_own = "fm = json_load(fm_path)"
reads_seed_too = f'fm = json_load(fm_path if fm_path.exists() else "{SEED}")'
text = source.read_text()
if text.count(reads_own) != 1:
    raise SystemExit(f"{source} no longer reads its font cache with `{reads_own}`: adapt seed-font-cache.py to it.")
source.write_text(text.replace(reads_own, reads_seed_too))
py_compile.compile(str(source), doraise=True)
