from __future__ import annotations

from pathlib import Path

import pytest

from cove_packages.environments import sees_system
from cove_packages.listing import canonical
from cove_packages.system import fulfils


@pytest.mark.parametrize("name", ["Scikit_Learn", "scikit.learn", "scikit-learn", "scikit-_.learn"])
def test_a_package_has_one_name_however_it_is_written(name: str) -> None:
    assert canonical(name) == "scikit-learn"


@pytest.mark.parametrize("requirement", ["wheels/mine-1.0-py3-none-any.whl", "no-such-package>=1", "a b"])
def test_what_the_system_does_not_have_is_to_be_installed(requirement: str) -> None:
    assert not fulfils(requirement)


@pytest.mark.parametrize(
    ("settings", "sees"),
    [
        ("home = /usr/bin\ninclude-system-site-packages = true\n", True),
        ("Include-System-Site-Packages=TRUE\n", True),
        ("include-system-site-packages = false\n", False),
        ("", False),
    ],
)
def test_an_environment_says_whether_it_sees_the_system(tmp_path: Path, settings: str, sees: bool) -> None:
    (tmp_path / "pyvenv.cfg").write_text(settings)
    assert sees_system(str(tmp_path)) is sees


def test_a_folder_without_settings_sees_nothing(tmp_path: Path) -> None:
    assert not sees_system(str(tmp_path))
