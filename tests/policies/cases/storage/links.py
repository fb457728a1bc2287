"""Links of file systems to S3."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_stored_fleet
from tests.policies.case import case, cases
from tests.policies.storage import DATA, SCRATCH, linked

# lustre-associations-allowed


cases(
    eight_links=lambda: a_stored_fleet(**linked(*((f"/{number}", f"s3://data/{number}") for number in range(8)))),
    nine_links=lambda: a_stored_fleet(**linked(*((f"/{number}", f"s3://data/{number}") for number in range(9)))),
    a_link_on_scratch_1=lambda: a_stored_fleet(**{**SCRATCH, "deployment": "SCRATCH_1", "size": 3600}, **DATA),
    a_link_beside_an_import_path=lambda: a_stored_fleet(**SCRATCH, **DATA, import_path="s3://data/other"),
)


@case
def a_link_on_intelligent_tiering() -> Fleet:
    tiered = {"size": None, "throughput": None, "metadata_mode": "USER_PROVISIONED", "metadata_iops": 12000}
    return a_stored_fleet(disk="INTELLIGENT_TIERING", **tiered, **DATA)


cases(
    a_link_on_a_type_not_yet_known=lambda: a_stored_fleet(deployment=UNKNOWN, **DATA),
)


# lustre-association-paths-apart


cases(
    a_link_inside_another=lambda: a_stored_fleet(**linked(("/data", "s3://a"), ("/data/new", "s3://b"))),
    a_link_beside_one_whose_name_begins_alike=lambda: a_stored_fleet(
        **linked(("/data", "s3://a"), ("/data-new", "s3://b"))
    ),
    the_root_beside_another=lambda: a_stored_fleet(**linked(("/", "s3://a"), ("/data", "s3://b"))),
    one_place_linked_twice=lambda: a_stored_fleet(**linked(("/a", "s3://data/x"), ("/b", "s3://data/x/"))),
    places_not_yet_known=lambda: a_stored_fleet(**linked(("/a", UNKNOWN), ("/b", "s3://b"))),
)


# lustre-import-path-complete


cases(
    an_export_path_alone=lambda: a_stored_fleet(**SCRATCH, needs_import_path=frozenset({"exportPath"})),
    an_import_path_on_persistent_2=lambda: a_stored_fleet(import_path="s3://data"),
    an_import_path_with_all_of_its_settings=lambda: a_stored_fleet(
        **SCRATCH, import_path="s3://data", needs_import_path=frozenset({"exportPath"})
    ),
    an_import_path_on_a_type_not_yet_known=lambda: a_stored_fleet(deployment=UNKNOWN, import_path="s3://data"),
)
