"""Tells `npm test` how each test went, in the file that COVE_TEST_REPORT names: scripts/test/reports.ts reads it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

# By file and name: nothing for a test that passed, else why it didn't. One that was skipped didn't.
causes: dict[tuple[str, str], str | None] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    file, _, name = report.nodeid.partition("::")
    if not report.passed:
        causes[file, name] = _cause(report)
    elif report.when == "call":
        causes.setdefault((file, name), None)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if not report.passed:
        causes[report.nodeid, "the file itself"] = _cause(report)


def pytest_sessionfinish() -> None:
    if place := os.environ.get("COVE_TEST_REPORT"):
        tests = [{"file": file, "name": name, "cause": cause} for (file, name), cause in causes.items()]
        Path(place).write_text(json.dumps({"tests": tests}))


def _cause(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Of a traceback the lines that pytest marks as the error."""
    marked = [line[1:].strip() for line in report.longreprtext.splitlines() if line.startswith("E ")]
    return "\n".join(marked) or report.longreprtext or report.outcome
