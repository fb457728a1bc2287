"""Texts that are sent to AWS are judged by the limits of AWS's own models, and every text is sent or said not to be."""

import re
import sys
import unicodedata
from collections.abc import Mapping
from typing import Any

import pytest

from muster import backends
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.request_limits import SEPARATORS, limits, text_fields
from tests.description_faults import findings
from tests.factories import a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.parallelcluster import a_slurm_document
from tests.factories.pcs import a_pcs_document
from tools.ec2_types import as_csv
from tools.request_limits import TABLE, limit_rows

_SUPPRESSED = "only Muster reads it"
_PLACED = "it selects subnets, whose ids are sent"
_MOUNTED = "nodes mount the file system with it"
_BY_PARALLELCLUSTER = "the schema of ParallelCluster limits it, and the type of the field repeats that limit"
_COMPARED = "it is compared with the offering that is bought"
_READ_BY_NODES = "nodes read it from the configuration"
_IN_CATALOGUE = "only the names of types in the catalogue are accepted"
_OF_THE_PLAN = "the training plan already has it"

NOT_SENT: Mapping[str, str] = {
    "suppress": _SUPPRESSED,
    "groups.*.instance": _IN_CATALOGUE,
    "queues.*.groups.*.instance": _IN_CATALOGUE,
    "controller.instance": _IN_CATALOGUE,
    "login.instance": _IN_CATALOGUE,
    "head.instance": _IN_CATALOGUE,
    "login-nodes.*.instance": _IN_CATALOGUE,
    "hyperpod.task-governance.teams.*.quota.{key}": _IN_CATALOGUE,
    "hyperpod.task-governance.teams.*.borrow-limits.{key}": _IN_CATALOGUE,
    "network.existing.zone-ids": _PLACED,
    "network.create.zone-ids": _PLACED,
    "network.existing.private.{key}": _PLACED,
    "network.existing.public.{key}": _PLACED,
    "groups.*.zone": _PLACED,
    "groups.*.capacity.reservation.zone": _PLACED,
    "groups.*.capacity.reservation-group.zone": _PLACED,
    "groups.*.capacity.capacity-block.zone": _PLACED,
    "groups.*.capacity.training-plan.zone": _PLACED,
    "queues.*.zones": _PLACED,
    "queues.*.groups.*.capacity.reservation.zone": _PLACED,
    "queues.*.groups.*.capacity.reservation-group.zone": _PLACED,
    "queues.*.groups.*.capacity.capacity-block.zone": _PLACED,
    "zone": _PLACED,
    "head.zone": _PLACED,
    "queues.*.groups.*.zone": _PLACED,
    "login-nodes.*.zone": _PLACED,
    "storage.*.lustre.zone": _PLACED,
    "storage.*.existing-lustre.zone": _PLACED,
    "storage.*.existing-lustre.mount-name": _MOUNTED,
    "storage.*.existing-lustre.dns-name": _MOUNTED,
    "groups.*.capacity.capacity-block.buy.approved.offering": _COMPARED,
    "queues.*.groups.*.capacity.capacity-block.buy.approved.offering": _COMPARED,
    "groups.*.capacity.training-plan.ultraserver": _OF_THE_PLAN,
    "addons": (
        "charts and objects go to Kubernetes; the API model of EKS does not limit the versions and settings of its "
        "add-ons"
    ),
    "addons-in": "it names Pulumi stacks",
    "addons-of": "it names a Pulumi stack",
    "chart-mirror": "Helm reads it",
    "image-mirror": "nodes pull from it",
    "version": "it selects the template",
    "hyperpod.task-governance.priorities": "you send it with the AWS CLI",
    "queues.{key}": _BY_PARALLELCLUSTER,
    "queues.*.groups.{key}": _BY_PARALLELCLUSTER,
    "login-nodes.{key}": _BY_PARALLELCLUSTER,
    "slurm": "ParallelCluster writes it to slurm.conf",
    "slurm.default-queue": "it is the name of a queue",
    "s3": "it is a part of a policy",
    "post-install": _READ_BY_NODES,
    "head.post-install": _READ_BY_NODES,
    "queues.*.post-install": _READ_BY_NODES,
    "login-nodes.*.post-install": _READ_BY_NODES,
    "home.dns-name": _MOUNTED,
    "accounting.server": _READ_BY_NODES,
    "accounting.user": _READ_BY_NODES,
    "accounting.database": _READ_BY_NODES,
}
"""A field whose text is in no request to AWS, or whose service has no model in botocore -> the reason. It includes the
fields below it."""

W = "groups.workers"
PREFIX_OF_58 = "x" * 54 + ".com"
"""With `/team` 63 characters."""


def test_the_table_is_made_of_botocores_models() -> None:
    """After an upgrade of botocore, `python -m tools.request_limits` renews it."""
    assert TABLE.read_text(encoding="utf-8") == as_csv(limit_rows())


def test_letters_digits_and_separators_are_those_of_unicode() -> None:
    r"""Python's `\w`, and the characters beside it, are what AWS's `\p{L}\p{Z}\p{N}_` is."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    meant = {each for each in every if unicodedata.category(each)[0] in "LZN"} | {"_"}
    assert set(re.findall(rf"[\w{SEPARATORS}]", every)) == meant


def text_paths(name: str) -> set[str]:
    """Where a backend's description may have a text."""
    return {field.path for field in text_fields(backends.RECORDS[name].description.load(), name)}


def is_listed(path: str) -> bool:
    """Whether a text, or a block that it is in, is listed as not sent."""
    steps = path.split(".")
    return any(".".join(steps[:end]) in NOT_SENT for end in range(1, len(steps) + 1))


def sent(name: str) -> set[str]:
    """The paths that a backend sends."""
    return {field.path for field in text_fields(backends.RECORDS[name].description.load(), name) if field.members}


@pytest.mark.parametrize("name", backends.RECORDS)
def test_every_text_is_sent_or_listed_with_a_reason(name: str) -> None:
    """A new text of the description is mapped to the member of a request, or listed; and no path is one of none."""
    assert {path for path in text_paths(name) - sent(name) if not is_listed(path)} == set()


def test_nothing_is_listed_that_every_backend_sends() -> None:
    of_backends = {name: text_paths(name) for name in backends.RECORDS}
    for listed in NOT_SENT:
        below = {
            name: {path for path in paths if f"{path}.".startswith(f"{listed}.")} for name, paths in of_backends.items()
        }
        assert not any(below.values()) or any(paths - sent(name) for name, paths in below.items()), listed


def test_nothing_is_listed_that_is_not_there() -> None:
    of_addons = {field.path for field in text_fields(AddonsOf, "")}
    paths = {*of_addons, *(path for name in backends.RECORDS for path in text_paths(name))}
    assert {each for each in NOT_SENT if not any(f"{path}.".startswith(f"{each}.") for path in paths)} == set()
    assert {path for path in of_addons if not is_listed(path)} == set()


def test_every_member_has_a_row_and_every_pattern_compiles() -> None:
    for record in backends.RECORDS.values():
        for field in text_fields(record.description.load(), record.name):
            for member in field.members:
                re.compile(limits()[member].pattern)


def label(key: str = "team", value: str = "research") -> dict[str, Any]:
    return {f"{W}.labels": {key: value}}


SELF_MANAGED = {f"{W}.self-managed": True}
TAKEN: Mapping[str, tuple[Any, ...]] = {
    "eks": (
        label(f"{PREFIX_OF_58}/team"),
        label(value="x" * 63),
        {**SELF_MANAGED, **label(f"x{PREFIX_OF_58}/team")},
        {**SELF_MANAGED, **label(f"{'x' * 73}.com/team")},
        {**SELF_MANAGED, **label(value="")},
        {**SELF_MANAGED, f"{W}.taints": {f"x{PREFIX_OF_58}/team": "NoSchedule"}},
        {"tags": {"équipe": "研究 1_.:/=+-@", "empty": "", "k" * 128: "v" * 256}},
        {"network.existing.private.us-west-2a": "subnet-fill-me-in-private-a"},
    ),
    "hyperpod": (
        label(f"{'x' * 249}.com/team"),
        {"tags": {"empty": ""}},
        {f"{W}.hyperpod.image": {"id": "ami-fill-me-in"}},
    ),
    "parallelcluster": ({"tags": {"équipe": "研究"}},),
    "pcs": ({"tags": {"équipe": "研究"}}, {"name": f"M{'-' * 39}"}, {"image": "ami-fill-me-in"}),
}
"""At the limits, and beyond those of a service that does not get the text."""
DOCUMENTS = {
    "eks": a_document,
    "hyperpod": a_hyperpod_document,
    "parallelcluster": a_slurm_document,
    "pcs": a_pcs_document,
}


@pytest.mark.parametrize(("name", "edits"), [(name, edits) for name, every in TAKEN.items() for edits in every])
def test_what_aws_takes_has_no_fault(name: str, edits: dict[str, Any]) -> None:
    assert findings(DOCUMENTS[name](edits)) == []
