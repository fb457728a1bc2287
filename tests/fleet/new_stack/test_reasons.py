"""What a new stack's file says of where its words come from: who said so, and what to look after."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from muster.addresses import schema_address
from muster.cli.init.choices import (
    DOCUMENTATION_NETWORK,
    Backend,
    CapacityKind,
    CapacitySource,
    Choices,
    NewNetwork,
    ReservedCapacity,
)
from muster.cli.init.stack_document import capacity_entries, kubernetes_entries, stack_text
from muster.cli.init.yaml_entries import plain_values

HELD = ReservedCapacity(
    CapacityKind.RESERVATION, "cr-0a1b2c3d4e5f60718", "p5.48xlarge", "us-west-2a", 4, zone_id="usw2-az1"
)
BLOCK = replace(HELD, kind=CapacityKind.CAPACITY_BLOCK, starts=date(2026, 12, 1), ends=date(2026, 12, 15))
PLAN = replace(
    HELD,
    kind=CapacityKind.TRAINING_PLAN,
    id="arn:aws:sagemaker:us-west-2:210987654321:training-plan/ours",
    zone_id=None,
)
THERE = f"{HELD.id} is in us-west-2a (usw2-az1)"
ID, GROUPS = HELD.id, "aws or you; with you, also set placement-group"
NOT_THERE_YET = "after it starts, set it to true and run `pulumi up`; no nodes until then"


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (
            replace(HELD, owner="111122223333"),
            {
                "id": (ID, ""),
                "zone": (
                    "us-west-2a",
                    f"{THERE}, shared by account 111122223333, so the workers' subnet must also be in this zone",
                ),
                "count": (4, "all instances that it holds"),
                "provided-by": ("you", ""),
                "placement-group": (
                    "none",
                    f"AWS reports no placement group of {ID}; a reservation that AWS sets up for you also has none",
                ),
            },
        ),
        (
            replace(HELD, placement_group="ours"),
            {
                "id": (ID, ""),
                "zone": ("us-west-2a", f"{THERE}, so the workers' subnet must also be in this zone"),
                "count": (4, "all instances that it holds"),
                "provided-by": ("you", ""),
                "placement-group": ("ours", f"the placement group of {ID}"),
            },
        ),
        (
            replace(HELD, source=CapacitySource.NOBODY),
            {
                "id": (ID, ""),
                "zone": ("us-west-2a", "assumed: the workers' subnet must also be in this zone"),
                "count": (4, "assumed: all instances that it holds"),
                "provided-by": ("aws", GROUPS),
            },
        ),
        (
            PLAN,
            {
                "arn": (PLAN.id, ""),
                "zone": (
                    "us-west-2a",
                    ("training plan ours is in us-west-2a, so the workers' subnet must also be in this zone"),
                ),
                "count": (4, "all instances that it holds"),
            },
        ),
        *(
            (
                replace(BLOCK, source=source, begun=begun),
                {
                    "id": (ID, ""),
                    "zone": (
                        "us-west-2a",
                        f"{THERE}, so the workers' subnet must also be in this zone"
                        if source is CapacitySource.AWS
                        else f"{source.value}: the workers' subnet must also be in this zone",
                    ),
                    "count": (
                        4,
                        (f"{'' if source is CapacitySource.AWS else f'{source.value}: '}all instances that it holds"),
                    ),
                    "starts": ("2026-12-01", starts),
                    "ends": ("2026-12-15", ends),
                    "active": (begun, "it has started" if begun else NOT_THERE_YET),
                },
            )
            for source, starts, ends in (
                (CapacitySource.AWS, "", "at 11:30 UTC; EKS removes the nodes before"),
                (CapacitySource.YOU, "entered by you", "entered by you"),
                (CapacitySource.NOBODY, "assumed: set the real date", "assumed: set the real date"),
            )
            for begun in (False, True)
        ),
    ],
)
def test_what_is_said_of_what_is_held(held: ReservedCapacity, said: dict[str, tuple[Any, str]]) -> None:
    """Each key with its reason, by who says it: whoever reads the file knows what to look after."""
    assert {each.key: (each.value, each.why) for each in capacity_entries(held)} == said


def a_choice(held: ReservedCapacity, **more: Any) -> Choices:
    network = NewNetwork("10.0.0.0/16", ("us-west-2a", "us-west-2b"), "", "", "", {})
    backend = Backend.HYPERPOD if held.kind is CapacityKind.TRAINING_PLAN else Backend.EKS
    made = {"stack": "p5-mine", "backend": backend, "region": "us-west-2", "nodes": 4, "as_of": date(2026, 11, 22)}
    return Choices(**{**made, "reserved": held, "network": network, **more})


ACCOUNT = "210987654321"


@pytest.mark.parametrize(
    ("made", "what", "who"),
    [
        (a_choice(HELD), "4 p5.48xlarge on a reservation, on EKS", "values from AWS on 2026-11-22"),
        (
            a_choice(BLOCK, account=ACCOUNT, nodes=1),
            "1 p5.48xlarge on a Capacity Block, on EKS",
            f"values from AWS account {ACCOUNT} on 2026-11-22",
        ),
        (
            a_choice(PLAN),
            "4 p5.48xlarge on a training plan, on HyperPod",
            "values from AWS on 2026-11-22",
        ),
        (
            a_choice(replace(HELD, source=CapacitySource.YOU)),
            "4 p5.48xlarge on a reservation, on EKS",
            "values entered by you on 2026-11-22, because AWS did not return them",
        ),
        (
            a_choice(replace(HELD, source=CapacitySource.YOU), account=ACCOUNT),
            "4 p5.48xlarge on a reservation, on EKS",
            f"values entered by you on 2026-11-22, because AWS did not return them for account {ACCOUNT}",
        ),
        (
            a_choice(replace(HELD, source=CapacitySource.NOBODY), backend=Backend.PARALLELCLUSTER),
            "4 p5.48xlarge on a reservation, with Slurm on ParallelCluster",
            "Muster did not query AWS",
        ),
    ],
)
def test_a_file_says_first_what_it_is(made: Choices, what: str, who: str) -> None:
    """Below the line for editors: what runs on what, and who said so."""
    first, *rest = stack_text(made).splitlines()
    assert first == f"# yaml-language-server: $schema={schema_address('stack')}"
    head = [line.removeprefix("# ") for line in rest[: rest.index("config:")]]
    assert " ".join(head) == f"{what}. Written by `muster init`; {who}."


@pytest.mark.parametrize(
    ("given_", "public", "why"),
    [
        (("8.8.8.0/24", "9.9.9.0/24"), ["8.8.8.0/24", "9.9.9.0/24"], ""),
        ((), [DOCUMENTATION_NETWORK], "set the network that you deploy from; nodes use the private endpoint"),
    ],
)
def test_a_network_that_is_to_be_filled_in_is_told(given_: tuple[str, ...], public: list[str], why: str) -> None:
    """One that was given needs no words."""
    (api,) = (each for each in kubernetes_entries(a_choice(HELD, api_from=given_)) if each.key == "api")
    assert (plain_values((api,)), api.why) == ({"api": {"public": public}}, why)
