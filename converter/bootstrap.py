"""First use of a checkout: give it an environment of its own, `.venv`, with the libraries it needs; go on inside it.

Runs before anything is installed, so it (and `converter/__init__.py`) may import the standard library only.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from converter.errors import BadInput

ROOT = Path(__file__).resolve().parents[1]
UNFINISHED = "unfinished"


def ensure(extra: str = "", quiet: bool = False, root: Path = ROOT) -> None:
    """Return once the libraries (and those of `extra`) are there; if that takes a new environment, restart inside it.

    An installed hexref brought its libraries along, and an environment that already has them all is used as it is.
    """
    if not is_checkout(root):
        return
    wanted = requirements((root / "pyproject.toml").read_text(encoding="utf-8"), extra)
    venv = root / ".venv"
    inside = Path(sys.prefix).resolve() == venv.resolve()
    if not missing(wanted) and (not inside or stamp(venv) is None):
        return
    if fingerprint(root, wanted) not in (stamp(venv) or ""):
        with one_at_a_time(root):
            install(root, venv, extra, inside, quiet)
    if not inside:
        restart(venv, root)


def is_checkout(root: Path = ROOT) -> bool:
    """Whether hexref runs from a checkout (with its tests and its own environment) and not from an installed wheel."""
    return (root / "pyproject.toml").exists()


def requirements(pyproject: str, extra: str = "") -> list[str]:
    """The libraries that pyproject.toml asks for.

    >>> text = '[project]\\ndependencies = ["numpy>=1.26"]\\n[project.optional-dependencies]\\ntest = ["pytest"]'
    >>> requirements(text), requirements(text, "test")
    (['numpy>=1.26'], ['numpy>=1.26', 'pytest'])
    """
    import tomllib

    project = tomllib.loads(pyproject)["project"]
    return [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else [])]


def missing(wanted: list[str]) -> list[str]:
    """Those requirements that the running interpreter has not, or has too old.

    >>> missing(["no-such-library>=1.0"])
    ['no-such-library>=1.0']
    """
    return [requirement for requirement in wanted if not satisfied(requirement)]


def satisfied(requirement: str) -> bool:
    """Whether "name" or "name>=version" is installed here."""
    name, _, least = requirement.partition(">=")
    found = installed(name.strip())
    return found is not None and numbers(found) >= numbers(least)


def installed(name: str) -> str | None:
    """The version of a library that is installed here, as the name of its folder of metadata tells it."""
    known = folders_of_metadata(tuple(sys.path)).get(re.sub(r"[-_.]+", "_", name.lower()))
    if known is not None:
        return known
    from importlib import metadata  # slow to load, and seldom needed

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


@cache
def folders_of_metadata(path: tuple[str, ...]) -> dict[str, str]:
    """Library and version by each `NAME-VERSION.dist-info` on a module path, the first one found counting."""
    found: dict[str, str] = {}
    for place in path:
        with contextlib.suppress(OSError):
            for entry in os.listdir(place or "."):
                name, _, version = entry.removesuffix(".dist-info").partition("-")
                if entry.endswith(".dist-info"):
                    found.setdefault(re.sub(r"[-_.]+", "_", name.lower()), version)
    return found


def numbers(version: str) -> list[int]:
    """A version as numbers to compare.

    >>> numbers("4.10.0.84") > numbers("4.8")
    True
    """
    return [int(digits) for digits in re.findall(r"\d+", version)]


def fingerprint(root: Path, wanted: list[str]) -> str:
    """What a finished environment was made for: these libraries, in this place (a moved checkout is filled again)."""
    import hashlib  # slow to load, and seldom needed

    return hashlib.sha256("\n".join([str(root), *wanted]).encode()).hexdigest()


def stamp(venv: Path) -> str | None:
    """What the environment says of itself: UNFINISHED, its fingerprints, or None where hexref did not make it."""
    try:
        return (venv / "hexref.stamp").read_text(encoding="utf-8")
    except OSError:
        return None


def python_of(venv: Path) -> Path:
    """The environment's interpreter."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(root: Path, venv: Path, extra: str, inside: bool, quiet: bool) -> None:
    """Make or finish the environment. What an interruption left is thrown away: a half-unpacked library looks whole."""
    pyproject = (root / "pyproject.toml").read_text(encoding="utf-8")
    wanted = fingerprint(root, requirements(pyproject, extra))
    if wanted in (stamp(venv) or ""):
        return  # another process made it while this one waited
    afresh = not inside and (stamp(venv) == UNFINISHED or not python_of(venv).exists())
    if not quiet:
        doing = "putting the libraries it needs into" if afresh else "bringing up to date"
        print(f"hexref: {doing} {venv} (once; it takes a minute or two)", file=sys.stderr, flush=True)
    if afresh and venv.exists():
        import shutil

        shutil.rmtree(venv)
    venv.mkdir(exist_ok=True)
    (venv / "hexref.stamp").write_text(UNFINISHED, encoding="utf-8")
    if afresh:
        run([sys.executable, "-m", "venv", str(venv)], f"could not make {venv} (on Debian: apt install python3-venv)")
    pip = [str(python_of(venv)), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    target = f"{root}[{extra}]" if extra else str(root)
    run([*pip, *(["--quiet"] if quiet else []), "--editable", target], "could not install the libraries")
    done = {wanted, fingerprint(root, requirements(pyproject))}
    (venv / "hexref.stamp").write_text("\n".join(done), encoding="utf-8")


def run(command: list[str], failure: str) -> None:
    """Run one step of the installation; what it prints is progress, so it goes to standard error."""
    import subprocess

    if subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL).returncode:
        raise BadInput(f"{failure}; the reason stands above")


@contextlib.contextmanager
def one_at_a_time(root: Path) -> Iterator[None]:
    """Keep two first uses at the same moment from filling the same environment (where the system has file locks)."""
    with open(root / "pyproject.toml", "rb") as lock:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def restart(venv: Path, root: Path) -> None:
    """Run this same command again with the environment's interpreter, in place of this process."""
    command = [str(python_of(venv)), str(root / "cli.py"), *sys.argv[1:]]
    if os.name == "nt":
        import subprocess

        sys.exit(subprocess.call(command))
    sys.stdout.flush()
    os.execv(command[0], command)
