"""Charts whose pods ask the instance's metadata service.

`instance_metadata.csv` has those that exit where it does not answer, with the values that replace it (alternatives,
each of one or several paths), and which of them are on by default. Read in the charts and their controllers:
kubernetes-sigs/aws-load-balancer-controller 225f445 (`pkg/aws/cloud.go`), aws/aws-application-networking-k8s 03d6abe
(`pkg/config/controller_config.go`), aws/aws-node-termination-handler 62a8761. Not listed are the CSI drivers of EBS and
FSx, which then ask Kubernetes, and controllers that ask for their Region alone, which the webhook of their role sets.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.workload import Placement
from muster.fleet.resources import Addon, Fleet, NodeGroup
from muster.hardware.tables import read_table
from muster.plain_data import value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.device_plugins import labelled_node_kinds
from muster.policies.lookups.installed_addons import name_of
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.pod_placement import NodeKind, schedulable
from muster.scheduling.fit import Schedulable
from muster.unknown import NotKnown, if_known


def chart_reaches_metadata(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = if_known(lambda: name_of(addon))
    row = next((each for each in read_table(*_TABLE) if each["chart"] == name), None)
    if row is None or _is_replaced(addon.values, row):
        return
    if not fleet.kubernetes_groups:
        raise NotKnown("the groups of its cluster")
    pod_spec = Placement.of(addon.values).pod_spec
    spots = [each for each in labelled_node_kinds(fleet) if schedulable(pod_spec, each) is not Schedulable.NO]
    if spots and all(_answers_only_itself(each, fleet) for each in spots):
        nodes = and_list({each.name for each in spots})
        got = f"the pods of {addon.ref.name} ask the instance's metadata for {row['asks']}, with hop limit 1 on {nodes}"
        yield rule.finding(addon, "values", got=got, change=f"set {row['remedy']} in its values")


_TABLE = ("instance_metadata.csv", "muster.addons.catalogue")


def _is_replaced(values: Mapping[str, Any], row: Mapping[str, str]) -> bool:
    def is_set(path: str) -> bool:
        given = value_at(values, *path.split("."))
        return path in row["default_on"].split() if given is None else bool(given)

    return any(all(map(is_set, each.split())) for each in row["replaced_by"].split("|"))


def _answers_only_itself(spot: NodeKind, fleet: Fleet) -> bool:
    """Whether the metadata service of a node answers only what uses the node's own network."""
    group = spot.group
    if not isinstance(group, NodeGroup):
        return False  # AWS does not document the limit of HyperPod's instances
    template = template_of(group, fleet)
    return template is not None and template.hop_limit == 1
