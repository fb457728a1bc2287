"""The corpus in the engine: the pack says of every entry in a preview, where ids are unknown, what offline is said.

One process: each entry's program runs here, without the gate, so that what is broken is registered; the engine and the
pack are their own.
"""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from pulumi.automation._server import LanguageServer
from pulumi.runtime._grpc_settings import _GRPC_CHANNEL_OPTIONS
from pulumi.runtime.proto import language_pb2_grpc

from muster.clock import VARIABLE
from muster.config.document import REGION_KEY
from muster.config.project import facts_file, stack_file
from muster.config.stack_file import StackFile
from muster.finding import Finding
from muster.offline.plan import existing_clusters
from tests.corpus import BROKEN, FOLDER, SOUND, Entry, entry_of, names
from tests.corpus.judged import by_program, program, region_of
from tests.engine.existing import GET_CLUSTER, ExistingCluster, get_cluster
from tests.engine.harness import MISSING_TOOLS, WHY_SKIPPED, Outcome, Project
from tests.engine.provider import StandIn
from tests.stack_files import ROOT

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

WITHOUT = "corpus"
"""The stack of programs that have none of Muster's."""

PACK = "policies"

UNSHOWN = {"hyperpod-training-operator-cannot-resume": "training-operator-resumes-jobs"}
"""Entry -> the rule that says "not evaluated" in its place: of a manifest, which the Kubernetes provider constructs,
the engine shows the pack no address, and so no release."""

PROJECT = "name: muster\nruntime: {name: python, options: {toolchain: uv}}\nstackConfigDir: stacks\n"
"""Muster's own, without the keys that it wants of each stack: a program of others has none."""


@dataclass(frozen=True)
class Told:
    """A violation as far as it does not depend on where files lie."""

    rule: str
    message: str

    def is_of(self, finding: Finding) -> bool:
        """Whether it tells this finding: the same rule in the same words."""
        return self.rule == finding.rule and finding.got in self.message and finding.remedy in self.message


class Bench:
    """One copy of the project, in which entry after entry is previewed."""

    def __init__(self, folder: Path, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._facts = folder / "pack.json"
        self._project = Project(ROOT, folder, stand_in, stack=WITHOUT, files={"Pulumi.yaml": PROJECT})
        self._salts = {WITHOUT: self._salt(WITHOUT)}

    def preview(self, one: Entry) -> Outcome:
        """The preview of an entry's program, with the pack."""
        stack, opened = one.stack or WITHOUT, one.opened() if one.stack else None
        if stack not in self._salts:
            self._project.run("stack", "select", "--create", stack).require()
            self._salts[stack] = self._salt(stack)
        text = json.loads(one.stack_text()) if opened else {"config": {REGION_KEY: region_of(None, one)}}
        self._file(stack).write_text(json.dumps(text | self._salts[stack]), encoding="utf-8")
        facts = one.facts_text()
        (self._project.root / facts_file(Path(), stack)).write_text(facts, encoding="utf-8")
        told_otherwise = {} if opened else {"muster": {"facts": json.loads(facts)}}
        self._facts.write_text(json.dumps(told_otherwise), encoding="utf-8")
        self._stand_in.calls[GET_CLUSTER] = get_cluster(*_clusters(opened))
        self._project.environment[VARIABLE] = one.as_of.isoformat()
        self._project.stack = stack
        with serving(program(one, opened)) as address:
            return self._project.preview(
                "--client",
                address,
                "--exec-kind",
                "auto.inline",
                "--policy-pack-config",
                str(self._facts),
                packs=[PACK],
                state=False,
            )

    def _file(self, stack: str) -> Path:
        return self._project.root / stack_file(Path(), stack)

    def _salt(self, stack: str) -> dict[str, str]:
        """What the engine keeps of a stack in its file."""
        mark, text = "encryptionsalt: ", self._file(stack).read_text(encoding="utf-8")
        return {"encryptionsalt": next(line.removeprefix(mark) for line in text.splitlines() if line.startswith(mark))}


def _clusters(opened: StackFile | None) -> list[ExistingCluster]:
    known = existing_clusters(opened.derive()) if opened else {}
    return [
        ExistingCluster(name, said["version"], said["authenticationMode"], said["securityGroup"], said["vpc"])
        for name, said in known.items()
    ]


@contextmanager
def serving(run: Any) -> Iterator[str]:
    """A program of this process, where the engine finds it."""
    server = grpc.server(ThreadPoolExecutor(max_workers=4), options=_GRPC_CHANNEL_OPTIONS)
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(LanguageServer(run), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(0)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """The bench, for all entries."""
    if MISSING_TOOLS:
        pytest.skip(WHY_SKIPPED)
    with StandIn() as running:
        yield Bench(tmp_path_factory.mktemp("corpus"), running)


def told(outcome: Outcome) -> list[Told]:
    """What the pack found: not what it could not judge, nor what it says of itself."""
    return [
        Told(each.policy, each.message) for each in outcome.violations if each.policy not in ("not-evaluated", "muster")
    ]


# A program in YAML has the engine's own language host, which is no part of this process.
NOT_PREVIEWED = re.compile(r"^(refused|program):", re.MULTILINE)
PREVIEWED = [
    (kind, name)
    for kind in (BROKEN, SOUND)
    for name in names(kind)
    if not NOT_PREVIEWED.search((FOLDER / kind / f"{name}.yaml").read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("kind", "name"), PREVIEWED)
def test_the_pack_says_the_same(kind: str, name: str, bench: Bench) -> None:
    """The same rules, each as often, in the same words; and what is mandatory stops the preview."""
    one = entry_of(kind, name)
    hidden = UNSHOWN.get(one.name)
    expected = [each for each in by_program(one).findings if each.rule != hidden]
    outcome = bench.preview(one)
    said = told(outcome)
    if hidden:
        unjudged = [each.message for each in outcome.violations if each.policy == "not-evaluated"]
        assert any(each.startswith(f"{hidden} could not be judged") for each in unjudged), unjudged
    assert sorted(each.rule for each in said) == sorted(each.rule for each in expected), outcome.text[-3000:]
    for finding in expected:
        assert any(each.is_of(finding) for each in said), (finding, said)
    # What depends on an id that only creation brings is advice in a preview.
    stops = any(each.level == "mandatory" for each in by_program(one, preview=True).findings if each.rule != hidden)
    assert (outcome.code != 0) is stops, outcome.text[-3000:]
