"""Runs the program of a project offline: what it registers beside Muster's resources, and what it changes of them."""

import runpy
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from muster.finding import WrongInput
from muster.message_text import raised
from muster.offline.monitor import NotModelled
from muster.stack.own_program import OwnProgram


class ProgramFailed(WrongInput):
    """The project's program raised. The message has its line, and what it raised."""


REGISTER: ContextVar[Callable[[], Mapping[str, Any]] | None] = ContextVar("register", default=None)
"""What `muster.program.run` does in a program that runs offline; it returns the outputs."""


def run_own(own: OwnProgram, register: Callable[[], Mapping[str, Any]]) -> None:
    """Runs a program, as the engine would: in its folder, with modules beside it that no earlier run has imported.

    Args:
        own: the program.
        register: what `muster.program.run` does in it.

    Raises:
        NotModelled: it needs what only AWS or a provider knows.
        ProgramFailed: it raised, or does not call `run`.
    """
    called = False

    def once() -> Mapping[str, Any]:
        nonlocal called
        called = True
        return register()

    REGISTER.set(once)
    with chdir(own.file.parent), _imported_anew(own.file.parent):
        try:
            runpy.run_path(str(own.file), run_name="__main__")
        except NotModelled:
            raise
        except (Exception, SystemExit) as fault:  # noqa: BLE001  (whatever a program raises)
            raise ProgramFailed(raised(fault, own.file.name)) from None
    if not called:
        why = "it does not call run() of muster.program, so nothing that is described is registered"
        raise ProgramFailed(f"{own.file.name}: {why}")


@contextmanager
def _imported_anew(folder: Path) -> Iterator[None]:
    """Modules of the project are not yet imported, and this leaves none: a resource that a module registers would else
    be registered by the first run only."""
    before = {name: each for name, each in sys.modules.items() if _is_of(each, folder)}
    path = list(sys.path)
    sys.path.insert(0, str(folder))
    try:
        for name in before:
            del sys.modules[name]
        yield
    finally:
        for name in [name for name, each in sys.modules.items() if _is_of(each, folder)]:
            del sys.modules[name]
        sys.modules |= before
        sys.path[:] = path


def _is_of(module: Any, folder: Path) -> bool:
    """Whether a module is one of the project: neither Muster's, nor of the environment, which may be in its folder."""
    file, name = getattr(module, "__file__", None), module.__name__.partition(".")[0]
    if not isinstance(file, str) or name in ("muster", "__main__"):
        return False
    return Path(file).is_relative_to(folder) and not Path(file).is_relative_to(sys.prefix)
