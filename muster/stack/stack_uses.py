"""What a stack takes of an account that other stacks of the same run may take too."""

from collections.abc import Iterator

from muster.config.description.base import PARALLELCLUSTER
from muster.config.description.cluster import Cluster
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.identifiers import aws_name_stem
from muster.config.placeholders import is_placeholder
from muster.finding import dotted_path
from muster.fleet.stack_uses import HeldCapacity, StackUses
from muster.object_cache import cached_by_identity
from muster.stack.stack_file import StackFile

_MOST_STACKS = 4096


@cached_by_identity(_MOST_STACKS)
def uses_of(opened: StackFile) -> StackUses:
    """What a stack takes; nothing if it has faults, or only add-ons."""
    described = opened.described
    if not isinstance(described, Cluster):
        return StackUses(opened.stack)
    known = opened.facts.account_id if opened.facts else None
    return StackUses(
        opened.stack,
        opened.region,
        frozenset({known} if known else opened.allowed_accounts),
        {(noun, name): at for noun, name, at in _names(described, opened.stack)},
        _capacity(described),
    )


def _names(described: Cluster, stack: str) -> Iterator[tuple[str, str, str]]:
    """The names that AWS takes once, by its documents; those with a suffix of the provider never collide."""
    existing = described.control_plane.existing if isinstance(described, KubernetesCluster) else None
    name = existing.name if existing else described.name or stack
    if isinstance(described, KubernetesCluster) and not existing:
        yield "EKS cluster", name, "name"
    elif described.backend == PARALLELCLUSTER:
        yield "CloudFormation stack", name, "name"
    if described.registry:
        yield "ECR repository", described.registry.repository or aws_name_stem(name), "registry"


def _capacity(described: Cluster) -> dict[str, HeldCapacity]:
    found: dict[str, HeldCapacity] = {}
    for name, group in described.groups.items():
        held = group.capacity.held
        if held and (id_ := getattr(held, "id", None) or getattr(held, "arn", None)) and not is_placeholder(id_):
            at = f"{dotted_path(described.group_path(name))}.capacity.{group.capacity.chosen}"
            before = found.get(id_, HeldCapacity(at, held.count, 0))
            found[id_] = before._replace(most=before.most + group.nodes.max)
    return found
