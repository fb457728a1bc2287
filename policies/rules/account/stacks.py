"""What several stacks of one run take of an account together."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, WholeCluster
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict


def capacity_covers_all_stacks(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for id_, own in fleet.uses.capacity.items():
        others = {each.stack: each.capacity[id_].most for each in fleet.beside if id_ in each.capacity}
        held, total = _instances(id_, fleet) or own.instances, own.most + sum(others.values())
        if others and own.most <= held < total:  # reservation-covers-nodes reports what is too small for one stack
            got = f"{id_} has {count_noun(held, 'instance')}, but this stack and {and_list(others)} may grow to {total}"
            yield rule.finding(
                cluster.root,
                f"{own.at}.count",
                got=got,
                change="lower the most nodes of one of these stacks, or give it other capacity",
            )


def _instances(id_: str, fleet: Fleet) -> int | None:
    """The instances that AWS states."""
    if fleet.facts is None:
        return None
    known = fleet.facts.reservations.get(id_) or fleet.facts.training_plans.get(id_)
    return known.total_instances if known else None


def names_differ_between_stacks(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    own = fleet.uses
    for (noun, name), at in own.names.items():
        same = [each for each in fleet.beside if (noun, name) in each.names and each.region == own.region]
        alike = [each for each in same if not (own.accounts and each.accounts) or own.accounts & each.accounts]
        if not alike:
            continue
        certain = len(own.accounts) == 1 and any(each.accounts == own.accounts for each in alike)
        got = f"this stack and {and_list(each.stack for each in alike)} each create {noun} {name} in {own.region}"
        other = "use another name in one of them"
        change = other if certain else (other, "list the account of each in aws:allowedAccountIds, if they differ")
        yield (rule if certain else rule.advice).finding(cluster.root, at, got=got, change=change)
