"""The shared file systems of a stack."""

from collections.abc import Mapping

from muster.blueprint.cluster import ClusterBlueprint
from muster.fleet.resources import Reference
from muster.infra.file_system import FileSystem
from muster.infra.lustre import Lustre
from muster.infra.network import Foundation
from muster.infra.nfs import Efs, OpenZfs

_COMPONENTS: Mapping[str, type[FileSystem]] = {"lustre": Lustre, "efs": Efs, "openzfs": OpenZfs}


def file_systems(
    blueprint: ClusterBlueprint, around: Foundation, clients: Mapping[str, Reference]
) -> dict[str, FileSystem]:
    """The file systems of a blueprint that Muster creates, by name."""
    return {
        each.name: _COMPONENTS[each.kind.word](each, blueprint, around, clients)
        for each in blueprint.storage
        if not each.file_system.existing
    }
