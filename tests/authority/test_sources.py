"""Addresses into AWS's package lead to the line that they say."""

from muster.authority import installation
from muster.authority.worker_process import Worker
from muster.policies.sources.projects import PAGES


def test_pages_of_parallelcluster_begin_at_the_line(aws: Worker) -> None:
    """Each name of the package begins at the line that its address points at, in the version that is pinned."""
    assert aws
    (package,) = installation.package_python().parent.parent.glob("lib/python3*/site-packages/pcluster")
    for words, page in PAGES.items():
        file, _, line = page.partition("#L")
        lines = (package / file).read_text(encoding="utf-8").splitlines()
        if line:
            name = words.rpartition(" ")[2]
            assert lines[int(line) - 1].startswith((f"class {name}(", f"class {name}:", f"{name} =")), words
