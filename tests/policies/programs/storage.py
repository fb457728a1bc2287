"""Programs about storage."""

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    a_template,
    a_world,
    efa_group,
    file_system,
    lustre_group,
    workers,
)


@keeps("lustre-ports-open")
def workers_and_a_file_system() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world)


LARGE = {"efa_enabled": True, "storage_capacity": 19200}


@keeps("lustre-efa-traffic-open")
def keeps_lustre_efa_traffic_open() -> None:
    world = a_world()
    file_system(world, efa_group(world, "fsx"), **LARGE)


@breaks("lustre-efa-traffic-open", "A file system with EFA, and a security group that allows only TCP.", at={"scratch"})
def breaks_lustre_efa_traffic_open() -> None:
    world = a_world()
    file_system(world, lustre_group(world), **LARGE)


@breaks("lustre-ports-open", "Port 988 alone, as in most templates.", at={"scratch"})
def breaks_lustre_ports_open() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world, lustre_group(world, ports=[(988, 988)]))
