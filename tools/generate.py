"""Writes the generated files that are committed: schemas, golden plans and jobs.

`--check` writes nothing. Exit code 1: a committed file is outdated.
"""

import argparse
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import partial
from itertools import chain
from pathlib import Path
from shutil import copy  # noqa: TID251
from tempfile import TemporaryDirectory

from muster.cli.main import main as muster
from muster.cli.writers import json_schema
from muster.cli.writers.json import dump
from muster.components.host import components_schema
from muster.jobs.catalogue import JOBS
from muster.stack.project import stacks
from tests import description_faults
from tests.addons import printed_addons
from tests.cli import printed_reports, transcripts
from tests.corpus import planned, words
from tests.infra import edits
from tests.infra.hyperpod import lifecycle_transcripts
from tests.jobs import malformed_jobs, printed_jobs
from tools import typescript

ROOT = Path(__file__).resolve().parent.parent
AS_OF = "2026-11-21"
"""The day that rules use for the goldens: these change with the code, not with the calendar."""

MORE_JOBS = {"pcluster-gpu": "pytorch-fsdp", "pcluster-p4de-postinstall": "pytorch-fsdp"}
"""Stack -> a second job for a golden: a batch script contains the whole program, and another one with containers."""

Files = Iterator[tuple[Path, str]]
"""Files: the path below the root, and the text."""


def generated() -> Mapping[str, Callable[[], Files]]:
    """Every generated file, in groups: each group is generated separately."""
    return {
        "constraints": _constraints,
        "schemas": _schemas,
        "refusals": _refusals,
        "sound clusters": planned.pages,
        "edits": edits.pages,
        "lifecycle scripts": _lifecycle_scripts,
        "p5-shared-addons": _addons_of,
        **{stack: partial(_of_stack, stack) for stack in stacks(ROOT)},
        **words.PAGES,
        **{f"typed: {topic}": partial(transcripts.page, topic) for topic in transcripts.TOPICS},
    }


def _constraints() -> Files:
    """The versions of requirements.txt without their hashes: with hashes, pip does not install a folder such as a
    checkout (https://pip.pypa.io/en/stable/topics/secure-installs/)."""
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pins = [line.removesuffix("\\").strip() for line in lock.splitlines() if "==" in line and line[0].isalnum()]
    yield Path("constraints.txt"), "\n".join(pins) + "\n"


def _schemas() -> Files:
    for name, make in json_schema.SCHEMAS.items():
        yield Path(f"docs/schema/{name}.json"), dump(make())
    yield Path("docs/schema/components.json"), dump(components_schema())
    yield Path("examples/consumer-typescript/contract.ts"), typescript.contract()


def _refusals() -> Files:
    for of in (description_faults, malformed_jobs, printed_jobs, printed_addons, printed_reports):
        yield of.FILE, of.page()


def _lifecycle_scripts() -> Files:
    yield lifecycle_transcripts.FILE, lifecycle_transcripts.page()


def _of_stack(stack: str) -> Files:
    yield Path(f"tests/golden/{stack}.plan.json"), _plan(stack)
    yield Path(f"tests/golden/{stack}.cost.txt"), _printed("cost", stack, "--as-of", AS_OF)
    yield from _job(stack)
    if text := _printed("config", stack, "--as-of", AS_OF):
        name = "create-cluster.json" if text.startswith("{") else "config.yaml"
        yield Path(f"tests/golden/{stack}.{name}"), text
    if text := _printed("config", stack, "--image", "--as-of", AS_OF):
        yield Path(f"tests/golden/{stack}.image.yaml"), text
    if job := MORE_JOBS.get(stack):
        yield _golden(stack, job, _printed("job", job, "--stack", stack))


def _addons_of() -> Files:
    """The plan of the add-ons in the example, in a project with its stacks."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stacks").mkdir()
        copy(ROOT / "Pulumi.yaml", folder)
        for file in (ROOT / "examples" / "addons-of").glob("Pulumi.*.yaml"):
            copy(file, folder / "stacks")
        with chdir(folder):
            text = _plan("p5-shared-addons")
    yield Path("tests/golden/p5-shared-addons.plan.json"), text


def _job(stack: str) -> Files:
    """The first reference job that fits the stack: one golden shows how it requests its nodes."""
    for job in JOBS:
        if made := _printed("job", job, "--stack", stack):
            yield _golden(stack, job, made)
            return


_READ_BACK = ("custom", "id", "dependencies", "propertyDependencies")
"""Keys of a plan that reviewers do not read. Other tests check graphs and ids."""


def _plan(stack: str) -> str:
    plan = json.loads(_printed("plan", stack, "--json", "--as-of", AS_OF))
    shown = [{key: each[key] for key in each if key not in _READ_BACK} for each in plan["resources"]]
    return dump({**plan, "resources": shown})


def _golden(stack: str, job: str, made: str) -> tuple[Path, str]:
    """A manifest, or a batch script."""
    return Path(f"tests/golden/{stack}.{job}.{'sbatch' if made.startswith('#!') else 'yaml'}"), made


def _printed(*arguments: str) -> str:
    """The stdout of `muster`, whatever its exit code. Empty if a job does not fit the stack."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        muster(arguments)
    return out.getvalue()


def main() -> None:
    """Writes the files. With `--check`, compares them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    stale = []
    for path, text in chain.from_iterable(make() for make in generated().values()):
        file = ROOT / path
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(str(path))
        if not check:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    for each in stale:
        print(f"{'outdated' if check else 'wrote'}: {each}")
    if check and stale:
        sys.exit("run `make goldens`, read the difference, and commit it with the reason")


if __name__ == "__main__":
    main()
