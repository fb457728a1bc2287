"""Every validator class that the package has."""

import inspect
from importlib import import_module
from pkgutil import iter_modules

import pcluster.validators
from pcluster.config import cluster_config  # noqa: F401  (before the validators: they import each other)
from pcluster.validators.common import Validator


def roster() -> dict[str, str]:
    """Class -> its module's name, of those that judge something (no abstract ones)."""
    return {
        name: module
        for module in sorted(each.name for each in iter_modules(pcluster.validators.__path__))
        for name, kind in vars(import_module(f"pcluster.validators.{module}")).items()
        if inspect.isclass(kind)
        and issubclass(kind, Validator)
        and not inspect.isabstract(kind)
        and kind.__module__ == f"pcluster.validators.{module}"
    }
