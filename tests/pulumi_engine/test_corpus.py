"""The corpus in the engine: a preview, `up` and the next preview say the same of an entry, with ids and without.

One process: each entry's program runs here, without the gate, so that what is broken is registered; the engine and the
pack are their own.
"""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from pulumi.automation._server import LanguageServer
from pulumi.runtime._grpc_settings import _GRPC_CHANNEL_OPTIONS
from pulumi.runtime.proto import language_pb2_grpc

from muster.clock import VARIABLE
from muster.config.document import REGION_KEY
from muster.offline.plan import existing_clusters
from muster.policies.engine.configuration import MUSTER
from muster.policies.engine.messages import NOT_EVALUATED
from muster.stack.project import facts_file, stack_file
from muster.stack.stack_file import StackFile
from tests.corpus import BROKEN, FOLDER, SOUND, Entry, entry_of, names
from tests.corpus.judged import place as place_of
from tests.corpus.judged import program, region_of
from tests.pulumi_engine.existing import GET_CLUSTER, ExistingCluster, get_cluster
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Outcome, Project, Violation
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import OF_EACH_KIND, ROOT

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

WITHOUT = "corpus"
"""The stack of programs that have none of Muster's."""

PACK = "policies"

NO_RULES = (NOT_EVALUATED, MUSTER)

UNSHOWN = {"hyperpod-training-operator-cannot-resume": "training-operator-resumes-jobs"}
"""Entry -> the rule that says "not evaluated" in its place: of a manifest, which the Kubernetes provider constructs,
the engine shows the pack no address, and so no release."""

PROJECT = "name: muster\nruntime: {name: python, options: {toolchain: uv}}\nstackConfigDir: stacks\n"
"""Muster's own, without the keys that it wants of each stack: a program of others has none."""


class Bench:
    """One copy of the project, in which entry after entry is run."""

    def __init__(self, folder: Path, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._facts = folder / "pack.json"
        self._project = Project(ROOT, folder, stand_in, stack=WITHOUT, files={"Pulumi.yaml": PROJECT})
        self._state_folder = folder / "state" / ".pulumi" / "stacks"
        self._empty: dict[str, bytes] = {}
        self._salts: dict[str, dict[str, str]] = {}

    def steps(self, one: Entry) -> Iterator[Outcome]:
        """A preview of an entry's program in an empty stack, `up`, and the next preview, each with the pack."""
        stack, opened = one.stack or WITHOUT, one.opened() if one.stack else None
        if stack not in self._empty:
            self._project.run("stack", "select", "--create", stack).require()
            self._empty[stack] = self._state(stack).read_bytes()
            self._salts[stack] = self._salt(stack)
        self._state(stack).write_bytes(self._empty[stack])
        text = json.loads(one.stack_text()) if opened else {"config": {REGION_KEY: region_of(None, one)}}
        self._file(stack).write_text(json.dumps(text | self._salts[stack]), encoding="utf-8")
        facts = one.facts_text()
        (self._project.root / facts_file(Path(), stack)).write_text(facts, encoding="utf-8")
        told_otherwise = {} if opened else {"muster": {"facts": json.loads(facts)}}
        self._facts.write_text(json.dumps(told_otherwise), encoding="utf-8")
        self._stand_in.calls[GET_CLUSTER] = get_cluster(*_clusters(opened))
        self._project.environment[VARIABLE] = one.as_of.isoformat()
        self._project.stack = stack
        for run in (self._project.preview, self._project.up, self._project.preview):
            with serving(program(one, opened)) as address:
                flags = ("--client", address, "--exec-kind", "auto.inline", "--policy-pack-config", str(self._facts))
                yield run(*flags, packs=[PACK], state=False)

    def _state(self, stack: str) -> Path:
        return self._state_folder / "muster" / f"{stack}.json"

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


def told(outcome: Outcome) -> list[tuple[str, str, str]]:
    """What the pack found, as rule, level and URN: not what it could not judge, nor what it says of itself."""
    return sorted((each.policy, each.level, each.urn) for each in outcome.violations if each.policy not in NO_RULES)


def mandatory(outcome: Outcome) -> frozenset[tuple[str, str]]:
    """What stops the engine. What depends on ids that only creation brings can be advice in a preview."""
    return frozenset((rule, urn) for rule, level, urn in told(outcome) if level == "mandatory")


def not_judged(outcome: Outcome) -> frozenset[str]:
    """The rules that could not be judged."""
    words = (each.message for each in outcome.violations if each.policy == NOT_EVALUATED)
    return frozenset(each.partition(" could not be judged")[0] for each in words)


def is_at(place: str, violation: Violation) -> bool:
    """Whether a violation names a place of the corpus: a path of the description, or a resource."""
    return place_of(violation.urn) == place or f"{place}, " in violation.message


NOT_RUN = re.compile(r"^(refused|beside):", re.MULTILINE)
"""The engine runs one stack."""


def entries() -> Iterator[Any]:
    """Every entry that the engine can run. One of each kind is run each time, all others only with `-m slow`."""
    seen = set()
    for kind in (BROKEN, SOUND):
        for name in names(kind):
            if NOT_RUN.search((FOLDER / kind / f"{name}.yaml").read_text(encoding="utf-8")):
                continue
            one = entry_of(kind, name)
            alike = (kind, one.stack, bool(one.registered), bool(one.resources))
            rare = alike in seen or one.stack not in (None, *OF_EACH_KIND)
            yield pytest.param(one, id=name, marks=[pytest.mark.slow] if rare else [])
            seen.add(alike)


@pytest.mark.parametrize("one", list(entries()))
def test_a_gate_that_closes_stays_closed(one: Entry, bench: Bench) -> None:
    """A preview with unknown ids, `up`, and the next preview name the same rules and places, which are the entry's. If
    one is mandatory, each of them fails. What could be judged without ids can be judged with them."""
    hidden = UNSHOWN.get(one.name)
    expected = {(rule, place) for rule, place in one.found if rule != hidden}
    first, *later = bench.steps(one)
    assert {each for each, _, _ in told(first)} == {rule for rule, _ in expected}, first.text[-3000:]
    for rule, place in expected:
        assert any(each.policy == rule and is_at(place, each) for each in first.violations), (rule, place)
    assert hidden is None or hidden in not_judged(first)
    for each in (first, *later):
        assert [(rule, urn) for rule, _, urn in told(each)] == [(rule, urn) for rule, _, urn in told(first)]
        assert mandatory(first) <= mandatory(each), each.text[-3000:]
        assert (each.code != 0) is bool(mandatory(each)), each.text[-3000:]
        assert not_judged(each) <= not_judged(first)
