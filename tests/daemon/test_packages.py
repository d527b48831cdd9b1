from __future__ import annotations

from pathlib import Path

import pytest
from pip._vendor.packaging.version import Version

from cove_packages.environments import sees_system
from cove_packages.listing import canonical
from cove_packages.system import constraints, fulfils

# What the system has, by name.
SYSTEM = {"numpy": Version("2.2.4"), "scikit-learn": Version("1.4.2+dfsg1"), "thing": Version("3.0rc1")}


@pytest.mark.parametrize("name", ["Scikit_Learn", "scikit.learn", "scikit-learn", "scikit-_.learn"])
def test_a_package_has_one_name_however_it_is_written(name: str) -> None:
    assert canonical(name) == "scikit-learn"


@pytest.mark.parametrize(
    "requirement",
    ["numpy", "NumPy>=2", "numpy==2.2.4", "numpy>=2,<3", "scikit_learn", "scikit-learn==1.4.2", "thing>=2"],
)
def test_what_the_system_has_in_a_version_that_will_do_is_left_to_it(requirement: str) -> None:
    assert fulfils(requirement, SYSTEM)


@pytest.mark.parametrize(
    "requirement",
    ["numpy>=3", "numpy!=2.2.4", "numpy[extra]", "polars", "wheels/numpy-2.2.4-py3-none-any.whl", "a b", ""],
)
def test_everything_else_is_to_be_installed(requirement: str) -> None:
    assert not fulfils(requirement, SYSTEM)


def test_what_is_installed_beside_them_keeps_to_the_versions_of_the_system() -> None:
    with constraints(SYSTEM, without=["NumPy"]) as file:
        assert Path(file).read_text().splitlines() == ["scikit-learn==1.4.2", "thing==3.0rc1"]
    assert not Path(file).exists()


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
