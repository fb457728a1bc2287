"""Where a new stack's workers come from, and how many they are."""

from muster.fleet.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.new_stack.choices import Choices
from muster.fleet.new_stack.entry import Entries, Entry
from muster.fleet.new_stack.held import Held, Kind


def worker_entries(choices: Choices) -> Entries:
    """Purpose, type, number and capacity."""
    held = choices.held
    return (
        Entry("for", "training"),
        Entry("instance", held.instance, "assumed: AWS was not asked" if held.assumed else f"what {held.name} holds"),
        Entry("nodes", choices.nodes, choices.why_nodes),
        Entry("capacity", (Entry(held.kind.value, capacity_entries(held)),)),
    )


def capacity_entries(held: Held) -> Entries:
    """What is said of a reservation, a Capacity Block or a training plan."""
    shared = f", shared by account {held.owner}" if held.owner else ""
    if held.assumed:
        why = "assumed: the workers' subnet must be in this zone, too"
    else:
        why = f"{held.name} is in {held.place}{shared}, so the workers' subnet must be, too"
    common = (
        Entry("arn" if held.kind is Kind.TRAINING_PLAN else "id", held.id),
        Entry("zone", held.zone, why),
        Entry("count", held.count, "assumed: all that it holds" if held.assumed else "all that it holds"),
    )
    more = _OF_KIND.get(held.kind)
    return (*common, *(more(held) if more else ()))


def _reservation(held: Held) -> Entries:
    if held.assumed:
        return (Entry("provided-by", "aws", "or you: then nodes go into a placement group, placement-group names it"),)
    you = Entry("provided-by", "you")
    if held.placement_group:
        return you, Entry("placement-group", held.placement_group, f"the one that {held.name} was made in")
    why = f"AWS names none that {held.name} was made in; one that AWS set up for you has none either"
    return you, Entry("placement-group", NO_PLACEMENT_GROUP, why)


def _block(held: Held) -> Entries:
    assert held.starts is not None, "a Capacity Block starts on a day"
    assert held.ends is not None, "a Capacity Block ends on a day"
    assumed = "assumed: fill in" if held.assumed else ""
    begun = "it has begun" if held.begun else "true, and `pulumi up`, once it has begun: until then there are no nodes"
    return (
        Entry("starts", held.starts.isoformat(), assumed),
        Entry("ends", held.ends.isoformat(), assumed or "at 11:30 UTC; EKS takes the nodes away before"),
        Entry("active", held.begun, begun),
    )


_OF_KIND = {Kind.RESERVATION: _reservation, Kind.CAPACITY_BLOCK: _block}
"""Of a training plan all is said."""
