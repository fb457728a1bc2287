"""FSx for Lustre: what there is, where it is, and who reaches it."""

from typing import Any

from muster.fleet.interfaces import Layout
from muster.fleet.resources import Allowance, DataAssociation, Fleet, Ref
from muster.fleet.resources.place import SUBNET, VPC
from muster.fleet.resources.security_group import EGRESS, INGRESS, everything, tcp
from muster.fleet.unknown import UNKNOWN
from tests.factories import (
    CLUSTER_REF,
    DROP,
    EFA_GROUP_REF,
    LUSTRE_GROUP_REF,
    SG,
    A,
    B,
    a_file_system,
    a_fleet,
    a_group,
    a_lustre_group,
    a_security_group,
    a_stored_fleet,
    a_subnet,
    a_template,
    an_existing_file_system,
    described,
    elsewhere,
    facts,
    file_system_facts,
    interfaces,
    lustre_rules,
)
from tests.policies.case import case

AT = "storage.scratch.lustre"
THERE = "storage.scratch.existing-lustre"
KEY = "arn:aws:kms:us-west-2:000000000000:key/00000000-0000-4000-8000-000000000000"

SCRATCH: dict[str, Any] = {"deployment": "SCRATCH_2", "throughput": None, "metadata_mode": None}
ON_DISKS: dict[str, Any] = {
    "deployment": "PERSISTENT_1",
    "disk": "HDD",
    "throughput": 12,
    "size": 6000,
    "drive_cache": "NONE",
    "metadata_mode": None,
}


def linked(*pairs: tuple[Any, Any]) -> dict[str, Any]:
    return {"associations": tuple(DataAssociation(path, s3) for path, s3 in pairs)}


DATA = linked(("/imagenet", "s3://data/imagenet"))


@case()
def a_file_system_beside_its_nodes() -> Fleet:
    return a_stored_fleet()


@case()
def a_scratch_file_system() -> Fleet:
    return a_stored_fleet(**SCRATCH)


@case()
def hard_disks() -> Fleet:
    return a_stored_fleet(**ON_DISKS)


@case()
def intelligent_tiering() -> Fleet:
    tiered = {"size": None, "throughput": None, "metadata_mode": "USER_PROVISIONED", "metadata_iops": 6000}
    return a_stored_fleet(disk="INTELLIGENT_TIERING", **tiered)


# lustre-size-valid


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_3000() -> Fleet:
    return a_stored_fleet(size=3000)


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_nothing() -> Fleet:
    return a_stored_fleet(size=0)


@case(f"lustre-size-valid @ {AT}.size")
def no_size() -> Fleet:
    return a_stored_fleet(size=None)


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_scratch_1_on_scratch_2() -> Fleet:
    return a_stored_fleet(**SCRATCH, size=3600)


@case(f"lustre-size-valid @ {AT}.size")
def a_size_of_ssd_on_hard_disks() -> Fleet:
    return a_stored_fleet(**{**ON_DISKS, "size": 2400})


@case(f"lustre-size-valid @ {AT}.size")
def a_size_too_small_for_efa() -> Fleet:
    return a_stored_fleet(_efa_group(), _fsx_with_efa(), efa=True)


@case(unjudged=(f"lustre-size-valid @ {AT}",))
def a_size_not_yet_known() -> Fleet:
    return a_stored_fleet(size=UNKNOWN)


# lustre-throughput-fits-type


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def a_throughput_on_scratch() -> Fleet:
    return a_stored_fleet(**{**SCRATCH, "throughput": 250})


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def no_throughput_on_persistent() -> Fleet:
    return a_stored_fleet(throughput=None)


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def a_throughput_of_persistent_1_on_persistent_2() -> Fleet:
    return a_stored_fleet(throughput=200)


@case(f"lustre-throughput-fits-type @ {AT}.throughput")
def a_throughput_of_ssd_on_hard_disks() -> Fleet:
    return a_stored_fleet(**{**ON_DISKS, "throughput": 50})


@case(unjudged=(f"lustre-throughput-fits-type @ {AT}", f"lustre-size-valid @ {AT}"))
def a_throughput_not_yet_known() -> Fleet:
    return a_stored_fleet(throughput=UNKNOWN)


# lustre-disk-fits-type


@case(f"lustre-disk-fits-type @ {AT}.disk")
def hard_disks_on_persistent_2() -> Fleet:
    return a_stored_fleet(disk="HDD", drive_cache="NONE")


@case(f"lustre-disk-fits-type @ {AT}.drive-cache")
def hard_disks_and_nothing_about_a_cache() -> Fleet:
    return a_stored_fleet(**{**ON_DISKS, "drive_cache": None})


@case(f"lustre-disk-fits-type @ {AT}.drive-cache")
def a_cache_before_ssd() -> Fleet:
    return a_stored_fleet(drive_cache="READ")


@case(f"lustre-disk-fits-type @ {AT}.type")
def a_type_nobody_knows() -> Fleet:
    return a_stored_fleet(deployment="PERSISTENT_3", metadata_mode=None)


KIND = ("disk-fits-type", "throughput-fits-type", "size-valid")


@case(unjudged=tuple(f"lustre-{rule} @ {AT}" for rule in (*KIND, "metadata-fits-type")))
def a_type_not_yet_known() -> Fleet:
    return a_stored_fleet(deployment=UNKNOWN)


# lustre-key-and-backups-persistent


@case(
    f"lustre-key-and-backups-persistent @ {AT}.key",
    f"lustre-key-and-backups-persistent @ {AT}.backup-days",
)
def a_key_and_backups_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, key=KEY, backup_days=7)


@case(f"lustre-key-and-backups-persistent @ {AT}.key")
def a_key_not_yet_known_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, key=UNKNOWN)


@case(unjudged=(f"lustre-key-and-backups-persistent @ {AT}",))
def backups_not_yet_known_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, backup_days=UNKNOWN)


@case(unjudged=tuple(f"lustre-{rule} @ {AT}" for rule in (*KIND, "metadata-fits-type", "key-and-backups-persistent")))
def a_key_on_a_type_not_yet_known() -> Fleet:
    return a_stored_fleet(deployment=UNKNOWN, key=KEY)


@case()
def a_key_and_backups_on_persistent() -> Fleet:
    return a_stored_fleet(key=KEY, backup_days=90)


# lustre-backups-without-s3


@case(f"lustre-backups-without-s3 @ {AT}.backup-days")
def backups_and_a_link_to_s3() -> Fleet:
    return a_stored_fleet(**DATA, backup_days=1)


@case(f"lustre-backups-without-s3 @ {AT}.backup-days")
def backups_and_an_import_path() -> Fleet:
    kind = {"deployment": "PERSISTENT_1", "throughput": 200, "metadata_mode": None}
    return a_stored_fleet(**kind, import_path="s3://data", backup_days=7)


@case(unjudged=(f"lustre-backups-without-s3 @ {AT}", f"lustre-associations-allowed @ {AT}"))
def backups_and_perhaps_a_link_to_s3() -> Fleet:
    return a_stored_fleet(associations=UNKNOWN, backup_days=7)


# lustre-associations-allowed


@case()
def eight_links() -> Fleet:
    return a_stored_fleet(**linked(*((f"/{number}", f"s3://data/{number}") for number in range(8))))


@case(f"lustre-associations-allowed @ {AT}.data")
def nine_links() -> Fleet:
    return a_stored_fleet(**linked(*((f"/{number}", f"s3://data/{number}") for number in range(9))))


@case(f"lustre-associations-allowed @ {AT}.data")
def a_link_on_scratch_1() -> Fleet:
    return a_stored_fleet(**{**SCRATCH, "deployment": "SCRATCH_1", "size": 3600}, **DATA)


@case(f"lustre-associations-allowed @ {AT}")
def a_link_beside_an_import_path() -> Fleet:
    return a_stored_fleet(**SCRATCH, **DATA, import_path="s3://data/other")


@case(f"lustre-associations-allowed @ {AT}.data")
def a_link_on_intelligent_tiering() -> Fleet:
    tiered = {"size": None, "throughput": None, "metadata_mode": "USER_PROVISIONED", "metadata_iops": 12000}
    return a_stored_fleet(disk="INTELLIGENT_TIERING", **tiered, **DATA)


@case(unjudged=tuple(f"lustre-{rule} @ {AT}" for rule in (*KIND, "metadata-fits-type", "associations-allowed")))
def a_link_on_a_type_not_yet_known() -> Fleet:
    return a_stored_fleet(deployment=UNKNOWN, **DATA)


# lustre-association-paths-apart


@case(f"lustre-association-paths-apart @ {AT}.data")
def a_link_inside_another() -> Fleet:
    return a_stored_fleet(**linked(("/data", "s3://a"), ("/data/new", "s3://b")))


@case()
def a_link_beside_one_whose_name_begins_alike() -> Fleet:
    return a_stored_fleet(**linked(("/data", "s3://a"), ("/data-new", "s3://b")))


@case(f"lustre-association-paths-apart @ {AT}.data")
def the_root_beside_another() -> Fleet:
    return a_stored_fleet(**linked(("/", "s3://a"), ("/data", "s3://b")))


@case(f"lustre-association-paths-apart @ {AT}.data")
def one_place_linked_twice() -> Fleet:
    return a_stored_fleet(**linked(("/a", "s3://data/x"), ("/b", "s3://data/x/")))


@case(unjudged=(f"lustre-association-paths-apart @ {AT}",))
def places_not_yet_known() -> Fleet:
    return a_stored_fleet(**linked(("/a", UNKNOWN), ("/b", "s3://b")))


# lustre-import-path-complete


@case(f"lustre-import-path-complete @ {AT}")
def an_export_path_alone() -> Fleet:
    return a_stored_fleet(**SCRATCH, needs_import_path=frozenset({"exportPath"}))


@case(f"lustre-import-path-complete @ {AT}")
def an_import_path_on_persistent_2() -> Fleet:
    return a_stored_fleet(import_path="s3://data")


@case()
def an_import_path_with_all_of_its_settings() -> Fleet:
    return a_stored_fleet(**SCRATCH, import_path="s3://data", needs_import_path=frozenset({"exportPath"}))


@case(unjudged=tuple(f"lustre-{rule} @ {AT}" for rule in (*KIND, "metadata-fits-type", "import-path-complete")))
def an_import_path_on_a_type_not_yet_known() -> Fleet:
    return a_stored_fleet(deployment=UNKNOWN, import_path="s3://data")


# lustre-metadata-fits-type


def provisioned(iops: Any, **more: Any) -> dict[str, Any]:
    return {"metadata_mode": "USER_PROVISIONED", "metadata_iops": iops, **more}


@case()
def metadata_of_the_largest_number() -> Fleet:
    return a_stored_fleet(**provisioned(192000))


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_of_an_odd_number() -> Fleet:
    return a_stored_fleet(**provisioned(9000))


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_without_a_number() -> Fleet:
    return a_stored_fleet(**provisioned(None))


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_automatic_and_a_number() -> Fleet:
    return a_stored_fleet(metadata_iops=3000)


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_in_a_mode_nobody_knows() -> Fleet:
    return a_stored_fleet(metadata_mode="MANUAL")


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_on_scratch() -> Fleet:
    return a_stored_fleet(**{**SCRATCH, "metadata_mode": "AUTOMATIC"})


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_on_an_older_lustre() -> Fleet:
    return a_stored_fleet(version="2.12")


@case(f"lustre-metadata-fits-type @ {AT}.metadata")
def metadata_automatic_on_intelligent_tiering() -> Fleet:
    return a_stored_fleet(disk="INTELLIGENT_TIERING", size=None, throughput=None)


@case(unjudged=(f"lustre-metadata-fits-type @ {AT}",))
def metadata_not_yet_known() -> Fleet:
    return a_stored_fleet(**provisioned(UNKNOWN))


# lustre-efa-allowed, lustre-efa-traffic-open


def _efa_group(*rules: Allowance) -> Any:
    """The nodes' EFA group, open to itself and to the file system unless other rules are given."""
    ways = (INGRESS, EGRESS)
    return a_security_group(allows=frozenset(rules or (everything(way, LUSTRE_GROUP_REF) for way in ways)))


def _fsx_with_efa(*peers: Any) -> Any:
    """The file system's group, open to itself and to the nodes' EFA group unless other peers are given."""
    open_to = peers or (LUSTRE_GROUP_REF, EFA_GROUP_REF)
    rules = {everything(way, peer) for way in (INGRESS, EGRESS) for peer in open_to}
    return a_lustre_group(allows=lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF) | rules)


@case()
def a_file_system_with_efa() -> Fleet:
    return a_stored_fleet(_efa_group(), _fsx_with_efa(), efa=True, size=19200)


@case(f"lustre-efa-allowed @ {AT}.efa")
def efa_on_scratch() -> Fleet:
    return a_stored_fleet(_efa_group(), _fsx_with_efa(), **SCRATCH, efa=True)


@case(f"lustre-efa-allowed @ {AT}.efa")
def efa_without_metadata() -> Fleet:
    return a_stored_fleet(_efa_group(), _fsx_with_efa(), efa=True, size=19200, metadata_mode=None)


@case(unjudged=(f"lustre-efa-allowed @ {AT}", f"lustre-size-valid @ {AT}"))
def efa_not_yet_known() -> Fleet:
    return a_stored_fleet(efa=UNKNOWN)


@case(f"lustre-efa-traffic-open @ {AT}")
def a_file_system_with_efa_whose_group_is_closed() -> Fleet:
    return a_stored_fleet(_efa_group(), efa=True, size=19200)


@case(f"lustre-efa-traffic-open @ {AT}")
def a_file_system_with_efa_that_nodes_do_not_let_in() -> Fleet:
    return a_stored_fleet(_efa_group(everything(INGRESS, SG)), _fsx_with_efa(), efa=True, size=19200)


@case("security-group-not-open-to-all @ security-groups.fsx", f"lustre-efa-traffic-open @ {AT}")
def a_file_system_with_efa_open_to_the_whole_world_only() -> Fleet:
    return a_stored_fleet(_efa_group(), _fsx_with_efa("0.0.0.0/0"), efa=True, size=19200)


@case(unjudged=(f"lustre-efa-traffic-open @ {AT}", "security-group-not-open-to-all @ security-groups.fsx"))
def a_file_system_with_efa_open_to_somebody_not_yet_known() -> Fleet:
    return a_stored_fleet(_efa_group(), _fsx_with_efa(LUSTRE_GROUP_REF, UNKNOWN), efa=True, size=19200)


@case(unjudged=(f"lustre-efa-traffic-open @ {AT}", "security-group-not-open-to-all @ security-groups.efa"))
def nodes_open_to_somebody_not_yet_known_beside_a_file_system_with_efa() -> Fleet:
    nodes = _efa_group(*(everything(way, UNKNOWN) for way in (INGRESS, EGRESS)))
    return a_stored_fleet(nodes, _fsx_with_efa(), efa=True, size=19200)


@case(unjudged=(f"lustre-efa-traffic-open @ {AT}", f"lustre-ports-open @ {AT}"))
def a_file_system_with_efa_and_groups_not_yet_known() -> Fleet:
    return a_stored_fleet(efa=True, size=19200, security_groups=UNKNOWN)


# lustre-single-subnet, lustre-in-training-zone


@case(f"lustre-single-subnet @ {AT}.zone")
def a_zone_without_a_subnet() -> Fleet:
    return a_stored_fleet(subnets=(), zone="us-west-2d")


@case(f"lustre-single-subnet @ {AT}.zone")
def two_subnets() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee")
    return a_stored_fleet(subnets=(A, other.id), around=[other])


@case(f"lustre-in-training-zone @ {AT}.zone")
def fsx_in_another_zone() -> Fleet:
    return a_stored_fleet(subnets=(B,))


def stored(edits: Any = None, **said: Any) -> Fleet:
    """The default description with a file system: of it nothing is left to be asked but what facts say."""
    lustre = {"size": "4800GiB", "throughput": 250, **said}
    plain = {"groups.workers.instance": "c5.2xlarge", "groups.workers.capacity": DROP, "addons": DROP}
    return described({**plain, "storage": {"scratch": {"lustre": lustre}}, **(edits or {})}, facts=ROOM)


ROOM = facts(
    quotas={"L-1216C47A": 5000},
    subnets={id_: {"freeAddresses": 4000, "mapPublicIpOnLaunch": False} for id_ in (A, B)},
)


@case(f"lustre-in-training-zone @ {AT}.zone")
def fsx_in_another_zone_than_the_group_that_trains() -> Fleet:
    return stored(zone="us-west-2b")


@case()
def fsx_without_a_zone_goes_to_the_group_that_trains() -> Fleet:
    return stored(edits={"groups.workers.zone": "us-west-2b"})


@case()
def fsx_beside_one_of_two_groups_that_train() -> Fleet:
    return a_stored_fleet(a_group("more", subnets=(B,)), a_template("more"), subnets=(B,))


@case()
def fsx_where_nobody_trains() -> Fleet:
    return stored(zone="us-west-2b", edits={"groups.workers.for": "inference"})


@case(unjudged=(f"lustre-in-training-zone @ {AT}",))
def fsx_in_a_subnet_nobody_knows() -> Fleet:
    return a_stored_fleet(subnets=("subnet-0eeeeeeeeeeeeeeee",))


@case(unjudged=(f"lustre-single-subnet @ {AT}", f"lustre-in-training-zone @ {AT}"))
def fsx_in_a_subnet_not_yet_known() -> Fleet:
    return a_stored_fleet(subnets=UNKNOWN)


@case(
    unjudged=(
        f"lustre-in-training-zone @ {AT}",
        "efa-single-zone @ groups.workers",
        "several-interfaces-private-subnets @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def fsx_beside_nodes_nobody_knows() -> Fleet:
    return a_stored_fleet(a_group(subnets=UNKNOWN))


# lustre-version-for-clients


@case(f"lustre-version-for-clients @ {AT}")
def a_version_that_nobody_mounts() -> Fleet:
    return a_stored_fleet(**SCRATCH, version="2.10")


@case(f"lustre-version-for-clients @ {AT}")
def no_version_on_scratch() -> Fleet:
    return a_stored_fleet(**SCRATCH, version=None)


@case()
def no_version_on_persistent_2() -> Fleet:
    return a_stored_fleet(version=None)


@case(unjudged=(f"lustre-version-for-clients @ {AT}",))
def a_version_not_yet_known() -> Fleet:
    return a_stored_fleet(**SCRATCH, version=UNKNOWN)


# lustre-ports-open


@case(f"lustre-ports-open @ {AT}")
def port_988_alone() -> Fleet:
    rules = lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=[(988, 988)])
    return a_stored_fleet(a_lustre_group(allows=rules))


@case(f"lustre-ports-open @ {AT}")
def ports_of_which_some_are_open() -> Fleet:
    rules = lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=[(988, 988), (1018, 1020)])
    return a_stored_fleet(a_lustre_group(allows=rules))


@case(f"lustre-ports-open @ {AT}")
def ports_closed_to_the_nodes() -> Fleet:
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF))


@case(f"lustre-ports-open @ {AT}")
def ports_closed_between_file_servers() -> Fleet:
    return a_stored_fleet(a_lustre_group(CLUSTER_REF))


@case(f"lustre-ports-open @ {AT}")
def a_file_system_without_a_group() -> Fleet:
    return a_stored_fleet(security_groups=())


@case()
def ports_open_to_the_whole_world() -> Fleet:
    return a_stored_fleet(a_lustre_group("0.0.0.0/0"))


@case("security-group-not-open-to-all @ security-groups.fsx")
def all_of_tcp_and_all_protocols() -> Fleet:
    every = {tcp(EGRESS, 0, 65535, "0.0.0.0/0"), everything(INGRESS, "0.0.0.0/0")}
    return a_stored_fleet(a_lustre_group(allows=frozenset(every)))


@case()
def ports_opened_one_by_one() -> Fleet:
    single = [(port, port) for port in (988, *range(1018, 1024))]
    return a_stored_fleet(a_lustre_group(allows=lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF, ports=single)))


@case()
def a_file_system_in_the_clusters_own_group() -> Fleet:
    return a_stored_fleet(security_groups=(CLUSTER_REF,))


@case()
def ports_open_to_the_efa_group_that_nodes_carry_too() -> Fleet:
    nics = interfaces(layout=Layout.CLASSIC)
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF, EFA_GROUP_REF), a_template(interfaces=nics))


@case(unjudged=(f"lustre-ports-open @ {AT}",))
def ports_open_to_a_network_that_may_hold_the_nodes() -> Fleet:
    return a_stored_fleet(a_lustre_group("10.0.0.0/16"))


@case(unjudged=("security-group-not-open-to-all @ security-groups.fsx", f"lustre-ports-open @ {AT}"))
def ports_open_to_somebody_not_yet_known() -> Fleet:
    unknown = Allowance(INGRESS, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    rules = {each for each in lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF) if each.direction == EGRESS}
    return a_stored_fleet(a_lustre_group(allows=frozenset({unknown, *rules})))


@case(unjudged=(f"lustre-ports-open @ {AT}",))
def a_file_system_in_a_group_of_another_program() -> Fleet:
    return a_stored_fleet(security_groups=(SG,))


# existing file systems


def existing(*things: Any, facts: Any = None, **more: Any) -> Fleet:
    return a_fleet(an_existing_file_system(**more), *things, facts=facts)


OPEN = (
    f"lustre-ports-open @ {THERE}",
    f"lustre-in-cluster-vpc @ {THERE}",
    f"lustre-version-for-clients @ {THERE}",
)
"""What only AWS knows of one."""


@case()
def one_that_exists_and_fits() -> Fleet:
    return existing(facts=file_system_facts(dnsName="fs.example.com"), dns_name="fs.example.com")


@case(unjudged=OPEN)
def one_of_which_nothing_is_known() -> Fleet:
    return existing()


@case(unjudged=(*OPEN, f"lustre-in-training-zone @ {THERE}"))
def one_of_which_not_even_the_zone_is_known() -> Fleet:
    return existing(zone=None)


@case(f"lustre-in-training-zone @ {THERE}.zone")
def one_in_another_zone() -> Fleet:
    return existing(facts=file_system_facts(zone="us-west-2b"), zone=None)


@case(f"lustre-in-training-zone @ {THERE}.zone", f"lustre-as-declared @ {THERE}.zone")
def one_in_another_zone_than_declared() -> Fleet:
    return existing(facts=file_system_facts(zone="us-west-2b"))


@case(f"lustre-as-declared @ {THERE}.mount-name", f"lustre-as-declared @ {THERE}.dns-name")
def one_by_other_names() -> Fleet:
    said = file_system_facts(mountName="other", dnsName="fs.example.org")
    return existing(facts=said, dns_name="fs.example.com")


@case(f"lustre-mount-name-short @ {THERE}.mount-name")
def one_with_its_id_for_a_mount_name() -> Fleet:
    return existing(facts=file_system_facts(mountName=DROP), mount_name="fs-0123456789abcdef0")


@case(f"lustre-version-for-clients @ {THERE}.id")
def one_of_a_version_that_nobody_mounts() -> Fleet:
    return existing(facts=file_system_facts(version="2.10"))


@case(f"lustre-in-cluster-vpc @ {THERE}.id")
def one_in_another_vpc() -> Fleet:
    return existing(facts=file_system_facts(vpc="vpc-0fffffffffffffff0"))


@case(f"lustre-in-cluster-vpc @ {THERE}.id")
def one_for_a_vpc_that_is_made_new() -> Fleet:
    return existing(facts=file_system_facts(), vpc=Ref(VPC, "network"))


@case(f"lustre-ports-open @ {THERE}.id")
def one_that_lets_nobody_in() -> Fleet:
    return existing(facts=file_system_facts(portsOpenToVpc=False, portsOpenTo=[]))


@case()
def one_that_lets_a_group_of_the_nodes_in() -> Fleet:
    own = a_template(instance="m5.8xlarge", interfaces=(), security_groups=tuple(sorted((CLUSTER_REF, SG), key=str)))
    return existing(own, facts=file_system_facts(portsOpenToVpc=False, portsOpenTo=[SG]))


@case(unjudged=(f"lustre-ports-open @ {THERE}",))
def one_that_lets_not_all_of_the_vpc_in() -> Fleet:
    return existing(facts=file_system_facts(portsOpenToVpc=False))


@case()
def one_that_is_being_updated() -> Fleet:
    """It stays in use."""
    return existing(facts=file_system_facts(state="UPDATING"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_being_made() -> Fleet:
    return existing(facts=file_system_facts(state="CREATING"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_misconfigured() -> Fleet:
    return existing(facts=file_system_facts(state="MISCONFIGURED"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_failed() -> Fleet:
    return existing(facts=file_system_facts(state="FAILED"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_being_deleted() -> Fleet:
    return existing(facts=file_system_facts(state="DELETING"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_no_lustre() -> Fleet:
    """What else is wrong with it as a Lustre file system nobody needs to know."""
    gone = dict.fromkeys(("mountName", "version", "portsOpenToVpc"), DROP)
    other = {"type": "ONTAP", "zone": "us-west-2b", "vpc": "vpc-0fffffffffffffff0"}
    return existing(facts=file_system_facts(**gone, **other))


# programs of other teams


@case("lustre-ports-open @ urn:pulumi:dev::theirs::aws:fsx/lustreFileSystem:LustreFileSystem::scratch")
def a_foreign_file_system_closed_to_the_nodes() -> Fleet:
    system = elsewhere(a_file_system(subnets=(Ref(SUBNET, "a"),)), "scratch")
    subnet = a_subnet(str(Ref(SUBNET, "a")))
    return a_fleet(a_lustre_group(LUSTRE_GROUP_REF), system, subnets=[subnet])
