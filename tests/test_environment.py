"""The three lists of packages (pyproject.toml, constraints.txt, environment.yml) say the same."""

import re
import tomllib
from itertools import product
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from rattler import MatchSpec
from rattler import Version as CondaVersion

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
CONSTRAINTS = [
    line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")
]
OTHER_NAME_IN_CONDA = {"matplotlib": "matplotlib-base"}
PLACES = [
    {
        "python_version": python,
        "python_full_version": f"{python}.{patch}",
        "sys_platform": platform,
        "platform_machine": machine,
        "os_name": "nt" if platform == "win32" else "posix",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }
    for python, patch, (platform, machine) in product(
        ("3.11", "3.12", "3.13", "3.14"),
        (0, 99),
        (
            ("linux", "x86_64"),
            ("linux", "aarch64"),
            ("darwin", "x86_64"),
            ("darwin", "arm64"),
            ("win32", "AMD64"),
        ),
    )
]


def requirements() -> list[Requirement]:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    parsed = [Requirement(line) for group in groups for line in group]
    return [requirement for requirement in parsed if requirement.name != PROJECT["name"]]


def pins(place: dict[str, str]) -> dict[str, list[Version]]:
    """What constraints.txt pins in this place."""
    found: dict[str, list[Version]] = {}
    for pin in map(Requirement, CONSTRAINTS):
        if pin.marker is None or pin.marker.evaluate(place):
            (specifier,) = pin.specifier
            found.setdefault(canonicalize_name(pin.name), []).append(Version(specifier.version))
    return found


@pytest.mark.parametrize("place", PLACES, ids=lambda p: f"{p['python_full_version']}-{p['sys_platform']}")
def test_every_requirement_has_one_fitting_pin_everywhere(place):
    pinned = pins(place)
    assert all(len(versions) == 1 for versions in pinned.values())
    for requirement in requirements():
        if requirement.marker is None or requirement.marker.evaluate(place):
            (version,) = pinned[canonicalize_name(requirement.name)]
            assert version in requirement.specifier, f"run `make constraints`: {requirement}"


def test_pins_are_exact_and_name_no_address():
    for line in CONSTRAINTS:
        assert re.fullmatch(r"[a-z0-9_.-]+==[^ ]+( ; .+)?", line), line
        assert "://" not in line and "@" not in line


def test_pins_do_not_depend_on_the_patch_release_of_python():
    """Else a wheelhouse made for one would miss a wheel on another."""
    patch_releases = [line for line in CONSTRAINTS if re.search(r"'3\.\d+\.\d+'", line)]
    assert patch_releases == [], "hold the package back in [tool.uv] of pyproject.toml"


def test_environment_asks_for_what_the_project_asks_for():
    conda = {}
    for entry in ENVIRONMENT["dependencies"]:
        if isinstance(entry, str):
            specification = MatchSpec(entry)
            conda[specification.name.normalized] = specification
    assert conda.pop("pip").version is None
    assert SpecifierSet(str(conda.pop("python").version)) == SpecifierSet(PROJECT["requires-python"])
    stated = {canonicalize_name(r.name): r.specifier for r in map(Requirement, PROJECT["dependencies"])}
    in_conda = {OTHER_NAME_IN_CONDA.get(name, name): specifier for name, specifier in stated.items()}
    for name, specification in conda.items():
        assert name in in_conda, f"{name} is in environment.yml only"
        assert SpecifierSet(str(specification.version)) == in_conda[name], name
        (pinned,) = pins(PLACES[0])[next(n for n in stated if OTHER_NAME_IN_CONDA.get(n, n) == name)]
        assert CondaVersion(str(pinned)) >= CondaVersion(next(iter(in_conda[name])).version)


def test_environment_brings_the_rest_by_installing_the_project():
    (by_pip,) = [entry["pip"] for entry in ENVIRONMENT["dependencies"] if isinstance(entry, dict)]
    assert by_pip == ["--editable ."]
    assert ENVIRONMENT["channels"] == ["conda-forge"]


def test_binder_lays_out_the_workbook():
    script = ROOT / "postBuild"
    assert script.stat().st_mode & 0o111, "Binder runs it only if it is executable"
    assert script.read_text().splitlines()[-1] == "exec recall-lab start workbook --lay-out-only"
