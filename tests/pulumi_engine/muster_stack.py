"""A stack of this repository on the real engine, its placeholders filled in, in an account that fits it."""

import tempfile
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path

from muster.offline.plan import Plan, existing_clusters, plan_stack
from muster.stack.project import facts_file, stack_file
from muster.stack.stack_file import load
from tests.pulumi_engine.existing import GET_CLUSTER, ExistingCluster, get_cluster
from tests.pulumi_engine.harness import Project
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import AS_OF, ROOT, filled_in, text_of


class MusterStack(Project):
    """One stack. What the description says of a cluster that exists, AWS says too, until a test changes its mind.

    `facts` are those saved beside the stack, where nothing else is said; the empty text is none at all. `beside` are
    other files of the project, by path.
    """

    def __init__(
        self,
        stack: str,
        folder: Path,
        stand_in: StandIn,
        *,
        text: str | None = None,
        facts: str | None = None,
        beside: Mapping[str, str] | None = None,
    ) -> None:
        self.text = filled_in(text_of(stack)) if text is None else text
        self.facts = facts_of(stack) if facts is None else facts
        file, saved = stack_file(Path(), stack), facts_file(Path(), stack)
        super().__init__(
            ROOT,
            folder,
            stand_in,
            stack=stack,
            environment={"MUSTER_AS_OF": AS_OF},
            files={str(file): self.text, **({str(saved): self.facts} if self.facts else {}), **(beside or {})},
        )
        self._file, self._facts_file = self.root / file, self.root / saved
        if not self.facts:
            self._facts_file.unlink(missing_ok=True)
        written = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
        self._salt = "".join(line for line in written if line.startswith("encryptionsalt: "))
        stand_in.calls[GET_CLUSTER] = get_cluster(*self.clusters())

    def describe(self, text: str, facts: str | None = None) -> None:
        """Writes another description, and other facts where they are given; what the engine put into the file stays."""
        self.text = text
        self._file.write_text(text + self._salt, encoding="utf-8")
        if facts is not None:
            self.facts = facts
            self._facts_file.write_text(facts, encoding="utf-8")

    def on(self, day: str) -> None:
        """Makes it another day, here and in the cloud: its noon."""
        self.environment["MUSTER_AS_OF"] = day
        self.stand_in.clock.now = datetime.combine(date.fromisoformat(day), time(12), UTC)

    def planned(self) -> Plan:
        """The offline plan of what is described."""
        with tempfile.TemporaryDirectory() as name:
            file, facts = Path(name) / "stack.yaml", Path(name) / "facts.json"
            file.write_text(self.text, encoding="utf-8")
            if self.facts:
                facts.write_text(self.facts, encoding="utf-8")
            return plan_stack(load(self.stack, file, facts), date.fromisoformat(AS_OF))

    def clusters(self) -> list[ExistingCluster]:
        """The clusters that exist, as the description has them."""
        opened = load(self.stack, self._file, facts_file(self.root, self.stack))
        if opened.faults:
            return []
        return [
            ExistingCluster(name, said["version"], said["authenticationMode"], said["securityGroup"], said["vpc"])
            for name, said in existing_clusters(opened.derive()).items()
        ]


def facts_of(stack: str) -> str:
    """The facts saved beside a stack, as of the account that its placeholders are filled in for; empty for none."""
    file = facts_file(ROOT, stack)
    return filled_in(file.read_text(encoding="utf-8")) if file.is_file() else ""
