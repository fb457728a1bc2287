"""One mutant tried: a child of the process that has collected the tests changes itself, and runs its tests."""

import ast
import gc
import importlib
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

from tools.mutation.sites import Mutant

SECONDS = 8.0
"""A mutant that was not noticed in so many seconds of a processor's time has survived."""
_MEMORY = 6 * 1024**3
OURS = ("muster", "policies", "addons", "infra")
"""The packages whose functions may remember what a mutant would have changed."""


class Outcome(StrEnum):
    """What came of it."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    """It ran for ever, which tests notice: killed."""
    DIED = "died"
    """The child ended, and no test said why: no kill until somebody has seen a test fail."""
    NOT_TRIED = "not tried"
    """It changes what only a new start would show."""


class Tried(NamedTuple):
    """A mutant's outcome, and the test that noticed; None where it was the import, or nobody."""

    outcome: Outcome
    by: int | None
    seconds: float
    why: str = ""
    """What a child that died said last."""


class Live:
    """What a change must reach in this process: each file's functions, and what functions remember.

    Looked up once, before any fork: a child that walked over every object would copy every page of memory.
    """

    def __init__(self) -> None:
        self.functions: dict[str, list[FunctionType]] = defaultdict(list)
        self.remembering: list[Any] = []
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                self.functions[each.__code__.co_filename].append(each)
            # By its type's name: asking an object for its class may run its code.
            elif type(each).__name__ == "_lru_cache_wrapper":
                self.remembering.append(each)


class CannotSwap(Exception):
    """The change is to something that is no function's code and no table."""


def passes(item: pytest.Item) -> bool:
    """Runs one test, with what it needs set up and torn down."""
    from _pytest.runner import runtestprotocol  # noqa: PLC0415 - what pytest-xdist does, too

    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def try_out(
    mutant: Mutant, live: Live, tests: Sequence[int], items: Sequence[pytest.Item], seconds: float = SECONDS
) -> Tried:
    """Forks; the child takes the mutant's code and asks the tests in order."""
    began = time.perf_counter()
    hear, say = os.pipe()
    child = os.fork()
    if not child:
        os.close(hear)
        _in_the_child(mutant, live, [(test, items[test]) for test in tests], say, seconds)
    os.close(say)
    # Of a processor's time the child has a limit of its own: whoever waits here waits for nothing else.
    said = os.read(hear, 4096)
    os.close(hear)
    _, status = os.waitpid(child, 0)
    took = time.perf_counter() - began
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return Tried(Outcome.TIMED_OUT, None, took)
    if said == b"cannot":
        return Tried(Outcome.NOT_TRIED, None, took)
    if said == b"survived":
        return Tried(Outcome.SURVIVED, None, took)
    if said.isdigit() or said == b"import":
        return Tried(Outcome.KILLED, int(said) if said.isdigit() else None, took)
    return Tried(Outcome.DIED, None, took, said.decode(errors="replace") or f"status {status}")


def _in_the_child(
    mutant: Mutant, live: Live, tests: Sequence[tuple[int, pytest.Item]], say: int, seconds: float
) -> None:
    """Never returns."""
    try:
        gc.disable()
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        limit = int(seconds) * 3 + 20
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        try:
            swap(mutant, live)
        except CannotSwap:
            os.write(say, b"cannot")
            os._exit(0)
        except BaseException:  # noqa: BLE001 - a table that cannot even be made is noticed by the import
            os.write(say, b"import")
            os._exit(0)
        for number, item in tests:
            if time.process_time() > seconds:
                break
            if not passes(item):
                os.write(say, str(number).encode())
                os._exit(0)
        os.write(say, b"survived")
    except BaseException as died:  # noqa: BLE001 - of a test that ended the whole run, above all
        os.write(say, repr(died)[:1000].encode())
    finally:
        os._exit(2)


def swap(mutant: Mutant, live: Live) -> None:
    """Puts a mutant's code in the place of the old, in this process.

    Raises:
        CannotSwap: the change cannot be put into a process that runs.
    """
    name = _module(mutant.file)
    module = sys.modules.get(name) or importlib.import_module(name)
    new = compile(mutant.source, str(module.__file__), "exec", dont_inherit=True)
    if mutant.inside == "function":
        _swap_functions(live.functions[str(module.__file__)], new)
    elif mutant.inside == "module":
        _swap_table(module, mutant, live)
    else:
        raise CannotSwap(mutant.name)
    forget(live, _remembering(name))


def _swap_functions(live: Sequence[FunctionType], new: CodeType) -> None:
    changed = 0
    codes: dict[tuple[str, int], list[CodeType]] = defaultdict(list)
    for code in _within(new):
        codes[code.co_qualname, code.co_firstlineno].append(code)
    for function in live:
        old = function.__code__
        candidates = codes[old.co_qualname, old.co_firstlineno]
        if all(_same(old, each) for each in candidates):
            continue
        # Lambdas of one line are told apart by nothing.
        if len(candidates) > 1 or old.co_freevars != candidates[0].co_freevars:
            raise CannotSwap(old.co_qualname)
        function.__code__ = candidates[0]
        changed += 1
    if not changed:
        raise CannotSwap


def _same(one: CodeType, other: CodeType) -> bool:
    """Code objects are equal only where their columns are, too: what counts is what they do."""
    plain = (one.co_code, one.co_names, one.co_varnames, one.co_freevars)
    if plain != (other.co_code, other.co_names, other.co_varnames, other.co_freevars):
        return False
    if len(one.co_consts) != len(other.co_consts):
        return False
    for a, b in zip(one.co_consts, other.co_consts, strict=True):
        if isinstance(a, CodeType) and isinstance(b, CodeType):
            if not _same(a, b):
                return False
        elif type(a) is not type(b) or a != b:
            return False
    return True


def _within(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _within(each)


def _swap_table(module: ModuleType, mutant: Mutant, live: Live) -> None:
    """Makes a module's constant anew, and what was made of it: for whoever imported the old one, and took it along."""
    made = _made_at(mutant.source, mutant.line)
    if made is None:
        raise CannotSwap(mutant.name)
    _make_anew(module, *made, live)


def _make_anew(module: ModuleType, name: str, statement: ast.stmt, live: Live) -> None:
    """Of a table that another was made of by import the other is made anew, too; so are defaults of arguments."""
    old = vars(module)[name]
    exec(compile(ast.Module([statement], []), str(module.__file__), "exec"), vars(module))  # noqa: S102 - our own code
    new = vars(module)[name]
    shared = isinstance(old, str | int | float | bytes | None)  # one object may be everybody's: its name tells it
    for function in () if shared else chain.from_iterable(live.functions.values()):
        if any(each is old for each in function.__defaults__ or ()):
            function.__defaults__ = tuple(new if each is old else each for each in function.__defaults__ or ())
    for other in list(sys.modules.values()):
        named: dict[str, Any] = getattr(other, "__dict__", {})
        here = {key for key, value in list(named.items()) if value is old and (key == name or not shared)}
        if here:
            named.update(dict.fromkeys(here, new))
        if other is module:
            here.add(name)
        here |= {f"{key}.{name}" for key, value in list(named.items()) if value is module}
        if here and other.__name__.partition(".")[0] in OURS:
            for also, made in _made_of(other, here):
                _make_anew(other, also, made, live)


def _made_of(module: ModuleType, names: AbstractSet[str]) -> Iterator[tuple[str, ast.stmt]]:
    """The module's other constants in whose making one of the names stands, as ``NAME`` or as ``module.NAME``."""
    for each in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        target = _constant(each)
        if target and target not in names and names & set(_names_in(each)):
            yield target, each


def _names_in(statement: ast.stmt) -> Iterator[str]:
    for one in ast.walk(statement):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
            yield f"{one.value.id}.{one.attr}"


def named_at(source: str, line: int) -> str | None:
    """The module's constant that is made on a line (1-based); None where none is."""
    made = _made_at(source, line)
    return made[0] if made else None


def _made_at(source: str, line: int) -> tuple[str, ast.stmt] | None:
    for each in ast.parse(source).body:
        if each.lineno <= line <= (each.end_lineno or each.lineno):
            name = _constant(each)
            return (name, each) if name else None
    return None


def _constant(statement: ast.stmt) -> str | None:
    """What a statement gives a value to by name; None where it does something else."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return target.id if isinstance(target, ast.Name) else None


def _remembering(name: str) -> tuple[str, ...]:
    """Whose answers may have changed: rules know the core, never the other way round."""
    return ("policies",) if name.startswith("policies") else OURS


def forget(live: Live, packages: tuple[str, ...]) -> None:
    """Empties what functions remember; not the catalogue of rules, which is made on import, nor what tests keep."""
    for each in live.remembering:
        where = getattr(each, "__module__", "") or ""
        if where.partition(".")[0] in packages and where != "policies.engine.catalogue":
            each.cache_clear()


def _module(file: str) -> str:
    path = Path(file)
    parts = path.parent.parts if path.stem == "__init__" else (*path.parent.parts, path.stem)
    return ".".join(parts)
