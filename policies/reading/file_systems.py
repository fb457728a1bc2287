"""What rules read of file systems that exist."""

from muster.fleet.lustre import LUSTRE
from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, LustreFileSystem


def is_no_lustre(system: LustreFileSystem, fleet: Fleet) -> bool:
    """Whether AWS says that there is no such file system, or one of another type: `named-things-exist` says so, or
    `lustre-usable`, and no other rule asks anything of it."""
    return fleet.gone(Kind.FILE_SYSTEM, system.id) or fleet.file_system_facts(system.id).type not in {None, LUSTRE}
