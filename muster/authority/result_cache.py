"""Caches the results of AWS's ParallelCluster package between runs.

A result depends on the request, on the code of `muster.authority.worker` and on the packages that are installed with
ParallelCluster. The key of a result is a hash of all three. Loading AWS's package and its models takes four seconds of
processor time; reading a result takes a millisecond.
"""

import contextlib
import hashlib
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from muster.authority.installation import muster_package, package_python
from muster.cache_folder import cache_folder
from muster.versions import PARALLELCLUSTER

_MOST_RESULTS = 500
"""The number of results that are kept; the oldest are deleted. A result takes 2 to 20 KiB."""


def read_result(request: dict[str, Any]) -> dict[str, Any] | None:
    """The cached result of a request; None if there is none.

    Raises:
        NotInstalled: AWS's package is not installed.
    """
    file = _file_of(request)
    try:
        result = json.loads(file.read_text(encoding="utf-8")) if file else None
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) and "messages" in result else None


def keep_result(request: dict[str, Any], result: dict[str, Any]) -> None:
    """Writes a result to the cache. Does nothing if the folder is not writable.

    Raises:
        NotInstalled: AWS's package is not installed.
    """
    file = _file_of(request)
    if file is None:
        return
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        # Readers must see a complete result or none.
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as written:
            json.dump(result, written)
        Path(written.name).replace(file)
        _delete_oldest(file.parent)


def _delete_oldest(folder: Path) -> None:
    results = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)
    for each in results[:-_MOST_RESULTS]:
        each.unlink(missing_ok=True)


def _file_of(request: dict[str, Any]) -> Path | None:
    installed = _installed_code(package_python())
    if installed is None:
        return None
    key = hashlib.sha256(f"{installed}\n{json.dumps(request, sort_keys=True)}".encode()).hexdigest()
    return cache_folder() / "parallelcluster" / f"{key}.json"


@cache
def _installed_code(interpreter: Path) -> str | None:
    """A hash of the worker's code and the names of the packages of an interpreter's environment.

    None if the environment's folder does not contain Muster's version of ParallelCluster, for example because its
    packages are elsewhere: then nothing is cached."""
    names = sorted(each.name for each in interpreter.parent.parent.glob("lib/python*/site-packages/*.dist-info"))
    if f"aws_parallelcluster-{PARALLELCLUSTER}.dist-info" not in names:
        return None
    digest = hashlib.sha256("\n".join(names).encode())
    for source in sorted((muster_package() / "authority" / "worker").glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()
