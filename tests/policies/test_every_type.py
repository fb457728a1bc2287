"""Groups of every instance type of EC2 are judged."""

from hypothesis import given
from hypothesis import strategies as st

from muster.hardware.catalogue import Hardware, hardware, instance_types
from muster.policies.engine.judgement import judge
from tests.factories import described

LINUX = tuple(each for each in instance_types() if not each.startswith("mac"))


@given(st.sampled_from(LINUX).map(hardware))
def test_a_group_for_the_system_may_be_of_any_type(machine: Hardware) -> None:
    """Whatever its architecture and network. Found are only zones that do not offer the type, operators that do not fit
    a small one, and accelerators without a device plugin and a taint."""
    fleet = described({"groups.system": {"for": "system", "instance": machine.instance, "nodes": 1}})
    expected = {"instance-offered-in-zone"}
    if machine.memory_mib <= 1024:
        expected |= {"operators-fit-nodes", "daemons-fit-nodes"}
    if machine.accelerators:
        expected |= {"group-has-its-device-plugin", "untainted-group"}
    assert {each.rule for each in judge(fleet).findings} <= expected
