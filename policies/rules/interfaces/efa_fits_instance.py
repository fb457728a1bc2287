"""EFA interfaces, compared with what the instance type supports."""

from collections.abc import Iterator

from muster.edits import Remedy, set_to
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.hardware.catalogue import Hardware
from muster.policies.engine.finding_text import and_list, card_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import WITHOUT_EFA, read_interfaces
from muster.policies.lookups.machines import known_machines, machines_of
from muster.unknown import if_known, known, stored


def efa_fits_instance(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, fleet, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges compute resources. ParallelCluster arranges the interfaces itself; the configuration only enables EFA."""
    bare = sorted(one.instance for one in known_machines(group, fleet) if not one.max_efa)
    if not bare and if_known(lambda: group.has_efa) is not False:
        machines_of(group, fleet)
    elif bare and group.has_efa:
        got = f"EFA is on, but {and_list(bare)} {singular_or_plural(bare, 'does', 'do')} not support it"
        yield rule.finding(group, "efa", got=got, change=(set_to(False), "use a type with EFA"))


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if template.efa_interfaces:
        yield from _on_cards(template, fleet.hardware_of(template), rule)
    read_interfaces(template)


def _on_cards(template: LaunchTemplate, hardware: Hardware, rule: Rule) -> Iterator[Verdict]:
    efa = template.efa_interfaces
    cards = {stored(nic, "card") for nic in efa}
    wrong = cards.intersection(range(hardware.network_cards)).difference(hardware.efa_cards)
    takes = f"supports EFA only on {card_list(hardware.efa_cards)}" if hardware.efa_cards else "has no EFA"
    if wrong:
        got = f"EFA interfaces are on {card_list(wrong)}, but {hardware.instance} {takes}"
        change: tuple[Remedy, ...] = WITHOUT_EFA, "use a type with EFA"
        if hardware.efa_cards:
            change = (f"move them to {card_list(hardware.efa_cards)}, in a launch template that lists its interfaces",)
        yield rule.finding(template, "interfaces", got=got, change=change)
    elif len(efa) > hardware.max_efa and not known(lambda: read_interfaces(template)):
        # If every card is known, other rules report the excess: two on a card, or one beyond the last card.
        got = f"the template has {len(efa)} EFA interfaces, but {hardware.instance} supports {hardware.max_efa}"
        yield rule.finding(template, "interfaces", got=got, change=f"keep {hardware.max_efa} of them")
