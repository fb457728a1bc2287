"""The repository's stacks: their plans, and copies of their files with edits, as users make them."""

import re
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from muster.stack.project import open_stack, stacks

if TYPE_CHECKING:
    from muster.offline.plan import Plan

ROOT = Path(__file__).resolve().parent.parent
AS_OF = "2026-11-21"
"""The day tests judge by, so that none fails because time passed."""


def text_of(stack: str) -> str:
    """A stack file's text."""
    return (ROOT / "stacks" / f"Pulumi.{stack}.yaml").read_text(encoding="utf-8")


WITH_SLURM = [each for each in stacks(ROOT) if "backend: parallelcluster" in text_of(each)]
ON_PCS = [each for each in stacks(ROOT) if "backend: pcs" in text_of(each)]
ON_HYPERPOD_SLURM = [each for each in stacks(ROOT) if "backend: hyperpod-slurm" in text_of(each)]
ON_KUBERNETES = [each for each in stacks(ROOT) if each not in (*WITH_SLURM, *ON_HYPERPOD_SLURM, *ON_PCS)]
"""The stacks of each form."""


OF_EACH_KIND = (
    "g5-auto-mode",
    "hyperpod-existing-eks",
    "hyperpod-p5",
    "hyperpod-slurm-p5",
    "p5-karpenter",
    "p5-odcr",
    "p6e-gb200",
    "pcluster-gpu",
    "pcs-p5",
)
"""A stack of each backend, and of each way to make nodes."""

OF_EACH_KIND_FIRST = [
    each if each in OF_EACH_KIND else pytest.param(each, marks=pytest.mark.slow) for each in stacks(ROOT)
]
"""All stacks, for tests that take seconds for each: those beside `OF_EACH_KIND` run with `-m slow`."""


def _unstated(rules: str, *groups: str) -> frozenset[tuple[str, str]]:
    return frozenset((rule, group) for rule in rules.split() for group in groups)


UNSTATED = {
    "p6e-gb200": _unstated("subnet-holds-nodes", "groups.ultraserver-1", "groups.ultraserver-2"),
}
"""Stack -> rules that no fact of an account decides, and where: no source states the interfaces of p6e-gb200."""


NO_JOB_FITS = {
    "p6e-gb200": ("nvbandwidth: several groups fit; choose with --group: ultraserver-1, ultraserver-2",),
}
"""Stack -> why no job of Muster fits it."""

QUEUES = {"hyperpod-teams": "research"}
"""Stack with several teams -> the team whose queue a job is sent to; without one, no job fits."""


@cache
def plan_of(stack: str) -> "Plan":
    """The plan of a stack as it is, made once in a process."""
    from muster.offline.plan import plan_stack

    return plan_stack(open_stack(ROOT, stack), date.fromisoformat(AS_OF))


def filled_in(text: str) -> str:
    """The text with every placeholder filled in: real-looking ids, one placeholder always by the same id."""

    def real(match: re.Match[str]) -> str:
        return f"{match.group(1)}-{sha256(match.group().encode()).hexdigest()[:17]}"

    text = re.sub(r"\b(vpc|subnet|cr|sg|ami|key|pg)-fill-me-in[a-z0-9-]*", real, text)
    text = re.sub(r"\b(hyperpod-tls|models)-fill-me-in", r"\1-ours", text)
    text = text.replace("s3://fill-me-in-", "s3://ml-").replace("registry.example.com", "registry.ml-platform.dev")
    return text.replace("111122223333", "210987654321").replace("203.0.113.0/24", "8.8.8.0/24")


def edited(text: str, before: str, after: str) -> str:
    """The text with one place changed.

    Raises:
        AssertionError: `before` does not stand there exactly once: the edit would be another than meant.
    """
    assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times"
    return text.replace(before, after)
