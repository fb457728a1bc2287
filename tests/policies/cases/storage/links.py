"""Links of file systems to S3."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import case
from tests.policies.storage import AT, DATA, KIND, SCRATCH, linked

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
