"""Finds the installation of AWS's package."""

import os
import shutil
import venv
from functools import cache
from pathlib import Path

import muster
from muster import child_process
from muster.cache_folder import cache_folder
from muster.versions import PARALLELCLUSTER

PACKAGE = "aws-parallelcluster"

VARIABLE = "MUSTER_PARALLELCLUSTER"
"""The environment variable with the path of a Python interpreter that has the package and moto. It takes precedence
over those of `make setup` and `muster pcluster install`."""

_FOLDER = ".venv-parallelcluster"
_COMPLETE = ".done"
"""A file that an environment has once everything is installed in it."""


class NotInstalled(Exception):
    """The package is not installed. The message states how to install it."""


def package_python() -> Path:
    """The Python interpreter whose environment has the package.

    Raises:
        NotInstalled: there is none, or the variable does not name an interpreter.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise NotInstalled(
                f"{VARIABLE} is set to {named}, where there is no Python interpreter; set it to one that has {PACKAGE}"
            )
        return Path(named).absolute()
    for environment in (checkout_root() / _FOLDER, _environment()):
        if (environment / _COMPLETE).exists():
            return environment / "bin" / "python"
    raise NotInstalled(f"AWS's package {PACKAGE} {PARALLELCLUSTER} is not installed; {installation_remedy()}")


def installation_remedy() -> str:
    """How to install the package. The interpreter in the variable takes precedence over any other."""
    if os.environ.get(VARIABLE):
        return f"set {VARIABLE} to another interpreter, or unset it and run `muster pcluster install`"
    return f"run `muster pcluster install`, or set {VARIABLE} to a Python interpreter that has it and moto"


def install() -> Path:
    """Installs it into an environment in the cache folder, with the versions and hashes of `requirements.txt`. Its pins
    conflict with Pulumi's, so it cannot be in the environment of Muster.

    Raises:
        NotInstalled: the environment cannot be made; pip has printed why.
        OSError: the cache folder cannot be written.
    """
    environment = _environment()
    shutil.rmtree(environment, ignore_errors=True)
    venv.create(environment)
    lock = Path(__file__).with_name("requirements.txt")
    pip = child_process.python("-m", "pip", "--python", environment / "bin" / "python", "--disable-pip-version-check")
    command = [*pip, "install", "--quiet", "--require-hashes", "--requirement", lock]
    env = child_process.environment(*child_process.DOWNLOADS)
    if child_process.run(command, env=env, show=True).returncode:
        raise NotInstalled(f"pip could not install {PACKAGE} {PARALLELCLUSTER}; fix what pip reports, and try again")
    (environment / _COMPLETE).touch()
    return environment


def _environment() -> Path:
    return cache_folder() / f"parallelcluster-{PARALLELCLUSTER}"


@cache
def muster_package() -> Path:
    """The folder of the running `muster` package: in a checkout, or among installed packages."""
    return Path(muster.__file__).resolve().parent


def checkout_root() -> Path:
    """The folder that contains the package: the checkout, if Muster runs from one."""
    return muster_package().parent
