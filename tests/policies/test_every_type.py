"""Groups of every instance type of EC2 are judged."""

from muster.hardware.catalogue import Hardware
from muster.policies.engine.judgement import judge
from tests.factories import described
from tests.hardware_types import EVERY_TYPE, every


@every(each for each in EVERY_TYPE if not each.instance.startswith("mac"))
def test_a_group_for_the_system_may_be_of_any_type(machine: Hardware) -> None:
    """Whatever its architecture and network. Found are only zones that do not offer the type, accelerators
    without a device plugin and a taint, and types that EC2 sells only in blocks."""
    fleet = described({"groups.system": {"for": "system", "instance": machine.instance, "nodes": 1}})
    expected = {"type-offered-in-zone"}
    if machine.accelerators:
        expected |= {"group-has-its-device-plugin", "untainted-group"}
    if machine.on_demand is False:
        expected.add("instance-type-sold")
    if machine.capacity_block == "ultraserver-only":
        expected.add("ultraserver-has-compute-domains")
    assert {each.rule for each in judge(fleet).findings} <= expected
