"""What one rule reports where AWS did not answer: not evaluated, if a preflight queried it; nothing, if a person wrote
the facts, or there are none."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from tests.factories import (
    CR,
    DROP,
    FS,
    A,
    a_fleet,
    a_group,
    a_template,
    an_existing_file_system,
    described,
    edited,
    facts,
    file_system_facts,
)
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, plan_facts
from tests.policies.case import cases
from tests.policies.cases.account import AWS_SAYS, VPC
from tests.policies.cases.existing_clusters import a_cluster
from tests.policies.cases.training_plans import planned

OBSERVED = {"observed": "2026-11-21T09:00:00Z"}
NO_ANSWERS = Facts(observed=datetime(2026, 11, 21, 9, tzinfo=UTC))
BY_HAND = facts(quotas={"L-417A185B": 384})


def looking_up_its_image() -> Fleet:
    return a_fleet(a_template(image="resolve:ssm:/teams/ml/images/training-2026-11"), a_group(managed=False))


_FLEETS = {
    "kubernetes-version-supported": a_fleet,
    "existing-cluster-as-declared": lambda: a_fleet(a_cluster()),
    "image-parameter-exists": looking_up_its_image,
}
for _rule, _fleet in _FLEETS.items():
    _name = _rule.replace("-", "_")
    cases(
        _rule,
        **{
            f"{_name}_without_answers": lambda make=_fleet: replace(make(), facts=NO_ANSWERS),
            f"{_name}_by_hand": lambda make=_fleet: replace(make(), facts=BY_HAND),
            f"{_name}_without_facts": lambda make=_fleet: replace(make(), facts=None),
        },
    )


# a file system that exists


def existing(without: str = "", *, observed: bool = True, **settings: Any) -> Fleet:
    """Facts of a file system that exists, without one of them."""
    known = file_system_facts(dnsName="fs.example.com").file_systems[FS]
    listed = known.model_dump(mode="json", by_alias=True, exclude_none=True)
    left = {FS: {key: value for key, value in listed.items() if key != without}}
    more = OBSERVED if observed else {}
    return a_fleet(an_existing_file_system(**settings), facts=facts(**more, fileSystems=left))


def declared(**settings: Any) -> Fleet:
    """A file system of which AWS reports nothing, with what its description states."""
    nothing = {"mount_name": None, "dns_name": None, "zone": None}
    return a_fleet(an_existing_file_system(**{**nothing, **settings}), facts=NO_ANSWERS)


cases(
    "lustre-usable",
    a_file_system_of_unknown_type=lambda: existing("type"),
    a_file_system_of_unknown_state_by_hand=lambda: existing("state", observed=False),
)
cases(
    "lustre-usable",
    a_file_system_with_nothing_declared=declared,
    a_file_system_with_its_mount_name=lambda: declared(mount_name="a1b2cdef"),
)


# a training plan


def on_plan(*, observed: bool, **plan: Any) -> Fleet:
    known = plan_facts(**plan)
    return a_hyperpod_fleet(
        planned(), known=known.model_copy(update={"observed": NO_ANSWERS.observed}) if observed else known
    )


cases(
    "training-plan-covers-nodes",
    a_plan_by_hand=lambda: on_plan(observed=False),
)


# the network and the reservation of a description


def unanswered(*, observed: bool = True, **edits: Any) -> Fleet:
    """The default description, of which AWS reports everything but what is edited."""
    known = {**edited(AWS_SAYS, edits), **(OBSERVED if observed else {})}
    return described(facts=facts(**known))


_EDITS: dict[str, tuple[str, dict[str, Any]]] = {
    "public_subnets": ("named-things-exist", {}),
    "a_vpc_and_public_subnets": ("named-things-exist", {f"vpcs.{VPC}": DROP}),
    "dns_of_a_vpc": ("vpc-resolves-names", {f"vpcs.{VPC}": DROP}),
    "dns_support_of_a_vpc": ("vpc-resolves-names", {f"vpcs.{VPC}.dnsSupport": DROP}),
    "a_way_out": ("subnet-reaches-aws", {f"subnets.{A}.wayOut": DROP}),
    "endpoints": (
        "subnet-reaches-aws",
        {f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": ["ec2", "ecr.api", "ecr.dkr", "s3"]},
    ),
    "offerings": ("type-offered-in-zone", {"offerings": DROP}),
    "free_instances": ("reservation-free-for-nodes", {f"reservations.{CR}.availableInstances": DROP}),
}
for _name, (_rule, _edit) in _EDITS.items():
    cases(
        _rule,
        **{
            f"{_name}_not_answered": lambda edit=_edit: unanswered(**edit),
            f"{_name}_not_written_by_hand": lambda edit=_edit: unanswered(observed=False, **edit),
        },
    )

BLANK = {
    "network.existing": {
        "vpc": "vpc-fill-me-in",
        "private": {"us-west-2a": "subnet-fill-me-in-a", "us-west-2b": "subnet-fill-me-in-b"},
    },
    "groups.workers.capacity": "on-demand",
}
MISSING = {f"vpcs.{VPC}": {"exists": False}, f"subnets.{A}": {"exists": False}}

# The engine reports placeholders, and `named-things-exist` what is missing.
for _rule in ("named-things-exist", "named-things-in-vpc", "vpc-resolves-names", "subnet-reaches-aws"):
    _name = _rule.replace("-", "_")
    cases(
        _rule,
        **{
            f"{_name}_of_placeholders": lambda: described(BLANK, facts=facts(**OBSERVED)),
            f"{_name}_of_missing_things": lambda: unanswered(**MISSING),
            f"{_name}_of_no_facts": lambda: described(facts=None),
        },
    )
