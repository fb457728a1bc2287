"""EFA interfaces against what the instance type takes."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from policies.engine.finding_text import and_list, card_list, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import hardware_missing, interfaces_of
from policies.lookups.machines import machines_of


@rule(
    "efa-fits-instance",
    title="EFA interfaces sit on EFA-capable cards, and are no more than the type takes",
    judges=LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="The number of EFA interfaces is not the number of cards: p6-b300 has 17 cards, takes 16, none on card 0. "
    "EC2 refuses the launch with AttachmentLimitExceeded.",
    source="EC2 DescribeInstanceTypes, EfaInfo.MaximumEfaInterfaces; eksctl#8685; ParallelCluster "
    "cluster_validators.py (EfaValidator)",
    remedy="Put EFA interfaces on the type's EFA-capable cards only (`muster hardware TYPE`).",
    facts=("rules.md#5", "rules.md#13", "hardware.md#R1", "pains.md#12"),
)
def efa_fits_instance(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, fleet, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges compute resources. ParallelCluster itself arranges the interfaces; the configuration only enables EFA."""
    if group.has_efa is False:
        return
    machines, missing = machines_of(group, fleet)
    bare = sorted(machine.instance for machine in machines if not machine.max_efa)
    if bare and group.has_efa is True:
        got = f"EFA on {and_list(bare)}, which {singular_or_plural(bare, 'has', 'have')} none"
        remedy = "turn it off (efa: false), or take a type with EFA"
        yield rule.finding(group.place, got, remedy, at="efa")
    elif missing or bare:
        yield rule.unjudged(group.place, missing or "whether it has EFA, not known before creation")


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    hardware = fleet.hardware_of(template)
    efa = template.efa_interfaces
    if not efa or hardware is None:
        if efa:
            yield rule.unjudged(template.place, hardware_missing(template, fleet))
        return
    used = {nic.card for nic in nics if nic.is_efa is True and isinstance(nic.card, int)}
    wrong = {card for card in used if card < hardware.network_cards} - set(hardware.efa_cards)
    takes = f"takes EFA on {card_list(hardware.efa_cards)}" if hardware.efa_cards else "has no EFA"
    if wrong:
        got = f"EFA sits on {card_list(wrong)}; {hardware.instance} {takes}"
        remedy = f"move it off {card_list(wrong)}" if hardware.efa_cards else "use plain interfaces, or a type with EFA"
        yield rule.finding(template.place, at="interfaces", got=got, remedy=remedy)
    elif len(efa) > hardware.max_efa and missing:
        # Where every card is known, more than fit are two on a card or one beyond the last: other rules' findings.
        got = f"{len(efa)} EFA interfaces; {hardware.instance} takes {hardware.max_efa}"
        yield rule.finding(template.place, at="interfaces", got=got, remedy=f"keep {hardware.max_efa} of them")
