"""What people may do with the Kubernetes API."""

from collections.abc import Iterator

from muster.addons.addon import Chart
from muster.addons.catalogue import CATALOGUE
from muster.fleet.resources import AccessEntry, AccessPolicyGrant, Fleet
from muster.fleet.resources.eks import ADMIN, CLUSTER_ADMIN, EDIT
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.installed_addons import name_of, ordered_addons
from muster.unknown import if_known, needed, stored

_OPERATORS = {
    name: [each.kind for each in addon.runs]
    for addon in CATALOGUE.values()
    if addon.runs
    for name in {addon.name, addon.source.name if isinstance(addon.source, Chart) else addon.name}
}
"""Name of an add-on or of its chart -> the kinds of jobs that it runs."""


def access_allows_jobs(grant: AccessPolicyGrant, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    kinds = {kind for each in ordered_addons(fleet) for kind in _OPERATORS.get(if_known(lambda: name_of(each), ""), ())}
    if not kinds or grant.policy not in (ADMIN, EDIT):
        return
    grants = [each for each in fleet.of(AccessPolicyGrant) if stored(each, "principal") == grant.principal]
    entries = [each for each in fleet.of(AccessEntry) if stored(each, "principal") == grant.principal]
    administers = any(stored(each, "policy") == CLUSTER_ADMIN for each in grants)
    if administers or any(stored(each, "groups", ()) for each in entries):
        return
    needed(*(each.policy for each in grants), *(each.groups for each in entries))
    got = f"{grant.policy} gives no rights on custom resources, so that its principal cannot create {and_list(kinds)}"
    allow = "set groups and jobs: true" if grant.place.described else "give its access entry a group with a RoleBinding"
    yield rule.finding(grant, "policy", got=got, change=allow)
