"""vCPU quotas: what others use, and what the stack needs, are what AWS counts once the stack has all its nodes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from muster.account.preflight import IDENTITY, RESERVATIONS, VCPU_QUOTAS, run_topics
from muster.account.topic import PreflightRequest
from muster.blueprint.derive.cluster import derive
from muster.hardware.quotas import P
from muster.policies.rules.capacity.quota_covers_vcpus import vcpu_use
from tests.account import sound_quotas
from tests.account.canned import Canned
from tests.account.sound_quotas import ACCOUNT
from tests.factories import CR, NOW, REGION, a_description, described

VCPUS = 192
"""vCPUs of a p5.48xlarge, the only type here."""


@dataclass(frozen=True)
class World:
    """An account with one p5 stack, part of which is deployed, and with others. Numbers of instances."""

    total: int
    """The size of the stack's reservation."""
    ours: bool
    """Whether this account owns it: another one may share it."""
    active: bool
    """Whether its state is active."""
    workers: int
    """The most nodes of a group on the reservation."""
    more: int
    """Those of a second group on it."""
    beside: int
    """Those of a third group, on demand."""
    running: int
    """The stack's instances on the reservation, or for it."""
    running_beside: int
    others_reserved: int
    others: int

    @property
    def whole(self) -> bool:
        """Whether the reservation counts in this account, used or not."""
        return self.ours and self.active

    def reported(self, on_reservation: int, beside: int) -> int:
        """What AWS counts with so many of the stack's instances."""
        inside = max(self.total, on_reservation) if self.whole else on_reservation
        return VCPUS * (inside + beside + self.others_reserved + self.others)

    @property
    def now(self) -> int:
        """What AWS counts now."""
        return self.reported(min(self.running, self.workers + self.more), min(self.running_beside, self.beside))

    @property
    def grown(self) -> int:
        """What AWS will count."""
        return self.reported(self.workers + self.more, self.beside)


few = st.integers(0, 6)
worlds = st.builds(
    World,
    total=st.integers(1, 12),
    ours=st.booleans(),
    active=st.booleans(),
    workers=st.integers(1, 6),
    more=st.integers(1, 6),
    beside=st.integers(1, 6),
    running=few,
    running_beside=few,
    others_reserved=few,
    others=few,
)


def stack(world: World) -> Mapping[str, Any]:
    """The edits of the default description."""
    held = {"id": CR, "zone": "us-west-2a", "count": world.total, "provided-by": "aws"}
    group = {"for": "training", "instance": "p5.48xlarge", "zone": "us-west-2a"}
    return {
        "groups.workers": {**group, "nodes": world.workers, "capacity": {"reservation": held}},
        "groups.more": {**group, "nodes": world.more, "capacity": {"reservation": held}},
        "groups.beside": {**group, "nodes": world.beside, "capacity": "on-demand"},
    }


def account(world: World) -> dict[str, Any]:
    """The answers of AWS."""
    inside = min(world.running, world.workers + world.more)
    p5 = {"InstanceType": "p5.48xlarge", "State": {"Name": "running"}}
    # Those that the reservation has no room for run outside of it.
    within = min(inside, world.total) if world.active else 0
    instances = [
        *({**p5, "CapacityReservationId": CR} for _ in range(within)),
        *(p5 for _ in range(inside - within + min(world.running_beside, world.beside))),
    ]
    reservation = {
        "CapacityReservationId": CR,
        "OwnerId": ACCOUNT if world.ours else "333344445555",
        "State": "active" if world.active else "scheduled",
        "ReservationType": "default",
        "InstanceType": "p5.48xlarge",
        "TotalInstanceCount": world.total,
        "AvailableInstanceCount": world.total - within,
    }
    return sound_quotas.answers("p5-efa") | {
        "ec2.DescribeInstances": {"Reservations": [{"Instances": [each]} for each in instances]},
        "ec2.DescribeCapacityReservations": {"CapacityReservations": [reservation]},
        "cloudwatch.GetMetricData": lambda asked: metric(asked, world.now),
    }


def metric(asked: Mapping[str, Any], used: int) -> dict[str, Any]:
    """CloudWatch's answer: this use of the P quota, and none of the others."""
    queries = asked["MetricDataQueries"]
    of_p = [each["Id"] for each in queries if "P/OnDemand" in str(each)]
    values = {each["Id"]: [float(used)] if each["Id"] in of_p else [] for each in queries}
    results = [{"Id": id_, "StatusCode": "Complete", "Values": points} for id_, points in values.items()]
    return {"MetricDataResults": results}


@given(worlds)
def test_others_use_and_the_stack_s_are_what_aws_will_count(world: World) -> None:
    """EC2 counts the vCPUs of running instances, and those of a Capacity Reservation, used or not. This holds whatever
    runs already, whoever owns the reservation, and whether it is larger than its groups or smaller. Another rule,
    `reservation-free-for-nodes`, is about instances of others in it."""
    edits = stack(world)
    blueprint = derive(a_description(edits), "test", REGION, None)
    heard = run_topics((IDENTITY, RESERVATIONS, VCPU_QUOTAS), PreflightRequest(blueprint, NOW), Canned(account(world)))
    assert heard.unanswered == ()
    fleet = described(edits, facts=heard.facts)
    assert heard.facts.quotas_used[P.code] + vcpu_use(fleet)[P].vcpus == world.grown
