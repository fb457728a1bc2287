"""Where a new stack's workers come from, and how many they are."""

from muster.fleet.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.new_stack.choices import Choices
from muster.fleet.new_stack.entry import Entries, Entry
from muster.fleet.new_stack.held import Held, Kind, Source


def worker_entries(choices: Choices) -> Entries:
    """Purpose, type, number and capacity."""
    held = choices.held
    return (
        Entry("for", "training"),
        Entry("instance", held.instance, why_instance(held)),
        Entry("nodes", choices.nodes, choices.why_nodes),
        Entry("capacity", (Entry(held.kind.value, capacity_entries(held)),)),
    )


def why_instance(held: Held) -> str:
    """Why the workers are of that type."""
    if held.source is Source.NOBODY:
        return held.why("--instance") if "--instance" in held.typed else "assumed: AWS was not asked"
    return f"what {held.name} holds" if held.source is Source.AWS else held.source.value


def capacity_entries(held: Held) -> Entries:
    """What is said of a reservation, a Capacity Block or a training plan."""
    shared = f", shared by account {held.owner}" if held.owner else ""
    if held.source is not Source.AWS:
        why = f"{held.why('--zone')}: the workers' subnet must be in this zone, too"
    else:
        why = f"{held.name} is in {held.place}{shared}, so the workers' subnet must be, too"
    count = "" if held.source is Source.AWS else f"{held.why('--nodes')}: "
    common = (
        Entry("arn" if held.kind is Kind.TRAINING_PLAN else "id", held.id),
        Entry("zone", held.zone, why),
        Entry("count", held.count, f"{count}all that it holds"),
    )
    more = _OF_KIND.get(held.kind)
    return (*common, *(more(held) if more else ()))


def _reservation(held: Held) -> Entries:
    if held.source is not Source.AWS:
        return (Entry("provided-by", "aws", "or you: then nodes go into a placement group, placement-group names it"),)
    you = Entry("provided-by", "you")
    if held.placement_group:
        return you, Entry("placement-group", held.placement_group, f"the one that {held.name} was made in")
    why = f"AWS names none that {held.name} was made in; one that AWS set up for you has none either"
    return you, Entry("placement-group", NO_PLACEMENT_GROUP, why)


def _block(held: Held) -> Entries:
    assert held.starts is not None, "a Capacity Block starts on a day"
    assert held.ends is not None, "a Capacity Block ends on a day"
    assumed = {Source.NOBODY: "assumed: fill in", Source.YOU: held.source.value}.get(held.source, "")
    begun = "it has begun" if held.begun else "true, and `pulumi up`, once it has begun: until then there are no nodes"
    return (
        Entry("starts", held.starts.isoformat(), assumed),
        Entry("ends", held.ends.isoformat(), assumed or "at 11:30 UTC; EKS takes the nodes away before"),
        Entry("active", held.begun, begun),
    )


_OF_KIND = {Kind.RESERVATION: _reservation, Kind.CAPACITY_BLOCK: _block}
"""Of a training plan all is said."""
