"""Names in a Slurm cluster that are wrong together are told each at its own place, whatever else is wrong."""

from itertools import permutations
from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.blueprint.parallelcluster.build_image import image_id
from muster.blueprint.slurm import SlurmBlueprint
from muster.blueprint.tags import MUSTER_TAGS, PARALLELCLUSTER_PROVIDER_TAG
from muster.config.description.base import Change, change_cost
from muster.config.description.root import model_of
from muster.config.description.slurm_cluster import MOST_SLURM_TAGS, SlurmCluster
from muster.config.document import WrittenNumber
from muster.config.validation import validate
from muster.versions import PARALLELCLUSTER
from tests.factories import DROP
from tests.slurm_factories import WORKERS, a_slurm_description, a_slurm_document

CPU = {"for": "system", "instance": "c5.2xlarge", "nodes": 1}
DATABASE = {
    "server": "slurm.example.internal",
    "user": "slurm",
    "password-secret": "arn:aws:secretsmanager:us-west-2:210987654321:secret:slurm-Ab12Cd",
}
LONG = "n" * 41
LETTERS = "use lower-case letters, digits and _, 64 at most"


def told(edits: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    document = a_slurm_document(edits)
    _, found = validate(model_of(document), document)
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


def test_a_group_is_named_once_in_the_cluster() -> None:
    """Told at the second, with the queue of the first."""
    assert told({"queues.other": {"groups": {"workers": CPU}}, "slurm.default-queue": "train"}) == {
        "queues.other.groups.workers": (
            "queue 'train' has a group 'workers', too: jobs and rules name groups alone",
            "give one of them another name",
        )
    }


MARKETS: dict[str, Any] = {
    "on-demand": "on-demand",
    "spot": "spot",
    "a Capacity Block": {
        "capacity-block": {
            "id": "cr-0123456789abcdef0",
            "zone": "us-west-2a",
            "count": 1,
            "starts": "2026-12-01",
            "ends": "2026-12-15",
        }
    },
}
RESERVED = {"id": "cr-0fedcba9876543210", "zone": "us-west-2a", "count": 1, "provided-by": "you"}


@pytest.mark.parametrize(("one", "other"), [*permutations(MARKETS, 2)])
def test_a_queue_has_one_kind_of_capacity(one: str, other: str) -> None:
    """Each group is told with its own; what is reserved is of the same kind as what is not."""

    def queue(*capacities: Any) -> dict[str, Any]:
        held = enumerate(capacities)
        return {"queues": {"train": {"groups": {f"g{n}": {**CPU, "capacity": capacity} for n, capacity in held}}}}

    words = "a queue has one kind of capacity: put them into queues of their own"
    ((got, remedy),) = told(queue(MARKETS[one], MARKETS[other])).values()
    assert f"{got}; {remedy}" == f"g0 is on {one}, g1 is on {other}; {words}"
    assert told(queue(MARKETS[one], MARKETS[one])) == {}
    assert told(queue("on-demand", {"reservation": RESERVED})) == {}


def test_a_default_queue_is_one_of_them() -> None:
    """Told at the setting, with the nearest."""
    assert told({"slurm.default-queue": "trian"}) == {
        "slurm.default-queue": ("there is no queue 'trian'; did you mean 'train'?", "choices: train")
    }
    assert told({"slurm.default-queue": "train"}) == {}


def test_which_queue_is_the_default_one_is_said_where_there_are_several() -> None:
    """One that came later, and is first by name, would take it over without a word."""
    another = {"queues.another": {"groups": {"cpus": CPU}}}
    assert told(another) == {
        "slurm.default-queue": (
            "there are 2 queues, and nothing says which takes jobs that name none",
            "write slurm: {default-queue: train}, or another of them",
        )
    }
    assert told({**another, "slurm.default-queue": "train"}) == {}


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ({}, {}),
        ({"login": "ssm"}, {}),
        ({"ssh-from": "198.51.100.0/24"}, {"head.ssh-from": "SSH is let in, and nobody has a key: login is ssm"}),
        (
            {"login": {"key-pair": "ml"}},
            {"head.ssh-from": "'ssh-from' is missing: port 22 would be open to the world"},
        ),
        ({"login": {"key-pair": "ml"}, "ssh-from": "198.51.100.0/24"}, {}),
    ],
)
def test_ssh_is_let_in_for_a_key_and_only_then(head: dict[str, Any], found: dict[str, str]) -> None:
    """Who may come is said by who has one."""
    assert {where: got for where, (got, _) in told({"head": head}).items()} == found


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"MaxJobCount": 20000, "JobCompType": "jobcomp/filetxt"}, {}),
        ({"Fraction": 1.5}, {"slurm.settings.Fraction": "'1.5' is not a value of slurm.conf"}),
        ({"Foo": "c\nSuspendTime=3"}, {"slurm.settings.Foo": "a text of several lines is not a value of slurm.conf"}),
        ({"NodeName": "x"}, {"slurm.settings.NodeName": "'NodeName' is not yours to set"}),
        ({"Nodename": "x"}, {"slurm.settings.Nodename": "'Nodename' is not yours to set"}),
        ({"max jobs": 3}, {"slurm.settings.max jobs": "'max jobs' is not a key of slurm.conf"}),
    ],
)
def test_settings_are_lines_of_slurm_conf(settings: dict[str, Any], found: dict[str, str]) -> None:
    """Each is told once: a line of its own, and none that makes nodes."""
    said = told({"slurm.settings": settings})
    assert said.keys() == found.keys()
    assert all(said[where][0].startswith(got) for where, got in found.items())


@pytest.mark.parametrize(
    ("edits", "refused"),
    [({"name": LONG}, False), ({"name": LONG, "accounting": DATABASE}, True), ({"accounting": DATABASE}, False)],
)
def test_a_name_is_short_with_accounting(edits: dict[str, Any], refused: bool) -> None:
    assert set(told(edits)) == ({"name"} if refused else set())


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"database": "d" * 64, "user": "u" * 32}, {}),
        (
            {"database": "d" * 65},
            {
                "accounting.database": (
                    f"'{'d' * 65}' is not a database's name here",
                    LETTERS,
                )
            },
        ),
        ({"database": "Jobs"}, {"accounting.database": ("'Jobs' is not a database's name here", LETTERS)}),
        (
            {"user": "u" * 33},
            {
                "accounting.user": (
                    f"'{'u' * 33}' has 33 letters, and a user of MySQL 1 to 32",
                    "write the name that the database knows",
                )
            },
        ),
    ],
)
def test_names_of_accounting_have_mysqls_length(said: dict[str, str], found: dict[str, tuple[str, str]]) -> None:
    assert told({"accounting": {**DATABASE, **said}}) == found


@pytest.mark.parametrize(("name", "size"), [("home", "head.root"), ("apps", "head.apps")])
def test_storage_hides_nothing_of_the_head_nodes(name: str, size: str) -> None:
    """Each file system is mounted at its name; what the head node shares is there already."""
    assert told({f"storage.{name}": {"lustre": {"size": "4800GiB", "throughput": 250}}}) == {
        f"storage.{name}": (
            f"/{name} is the head node's already, and mounted on all nodes ({size} says how large)",
            "give the file system another name, as in fsx",
        )
    }


def test_what_is_too_much_by_itself_is_told_once() -> None:
    """At the queue, or at the queues, with their number: then the groups in all are too many, too."""
    groups = {f"g{number}": CPU for number in range(61)}
    assert told({"queues": {"train": {"groups": groups}}}) == {
        "queues.train.groups": ("61 are listed here", "give at most 50")
    }
    queues = {f"q{number}": {"groups": {f"g{number}": CPU}} for number in range(61)}
    assert told({"queues": queues, "slurm.default-queue": "q0"}) == {
        "queues": ("61 are listed here", "give at most 50")
    }


def test_a_cluster_has_so_many_groups() -> None:
    """The number is ParallelCluster's; one fewer is well."""
    queues = {f"q{number}": {"groups": {f"g{number}-{each}": CPU for each in range(25)}} for number in range(2)}
    default = {"slurm.default-queue": "q0"}
    assert told({"queues": queues, **default}) == {}
    ((where, (got, _)),) = told({"queues": queues, WORKERS: CPU, **default}).items()
    assert (where, got) == ("queues", "51 groups, and ParallelCluster takes 50 in a cluster")


@pytest.mark.parametrize(
    "edits", [{"queues": ["train"]}, {"queues.train": "p5"}, {"queues.train.groups": []}, {"slurm": 3}, {"name": 3}]
)
def test_what_is_wrong_by_itself_is_told_as_such(edits: dict[str, Any]) -> None:
    """And nothing on top of it."""
    assert set(told(edits)) == set(edits)


@pytest.mark.parametrize("said", ["3.15.0", "3.17.0", "3.16", "v3.16.1", "latest", WrittenNumber.of(3.1, "3.10"), 3])
def test_a_version_that_this_muster_does_not_make_is_refused(said: Any) -> None:
    """An older one or a newer one: taken for its own, it would take the cluster's place, and /home and /apps go."""
    written = said.text if isinstance(said, WrittenNumber) else said
    ((where, (got, remedy)),) = told({"version": said}).items()
    assert where == "version"
    assert got == f"this Muster makes clusters of ParallelCluster {PARALLELCLUSTER} alone, and '{written}' is another"
    assert remedy == (
        "keep a cluster that exists to the Muster that made it: of another version it would be made anew, and /home "
        "and /apps would go; for a new cluster, in a stack and under a name of its own, write version: "
        f'"{PARALLELCLUSTER}"'
    )


@pytest.mark.parametrize("said", [True, ["3.16.1"], {"is": "3.16.1"}])
def test_a_version_is_text(said: Any) -> None:
    ((where, (got, _)),) = told({"version": said}).items()
    assert (where, "text" in got) == ("version", True)


def test_the_version_is_asked_for_with_the_word_to_write() -> None:
    """Nothing stands for it: a default would change with Muster."""
    remedy = f'write version: "{PARALLELCLUSTER}", the ParallelCluster that this Muster makes clusters of'
    assert told({"version": DROP}) == {"version": ("'version' is missing", remedy)}


def test_the_description_says_what_the_cluster_is_of() -> None:
    """A newer Muster refuses a cluster of an older one; it never renders it as one of its own."""
    described = a_slurm_description().model_copy(update={"version": "3.14.0"})
    blueprint = derive(described, "ml", "us-west-2")
    assert isinstance(blueprint, SlurmBlueprint)
    assert blueprint.cluster.version == "3.14.0"
    assert image_id(blueprint) == "ml-3-14-0"
    assert change_cost(SlurmCluster, "version") is Change.REPLACES


def test_so_many_tags_are_left_to_a_description() -> None:
    """ParallelCluster takes 40: Muster's own and its provider's are among them."""
    assert 40 - len(MUSTER_TAGS | {PARALLELCLUSTER_PROVIDER_TAG}) == MOST_SLURM_TAGS
    assert told({"tags": {f"tag-{number}": "x" for number in range(MOST_SLURM_TAGS)}}) == {}
    assert set(told({"tags": {f"tag-{number}": "x" for number in range(MOST_SLURM_TAGS + 1)}})) == {"tags"}


@pytest.mark.parametrize("instance", ["m5.4xlarge", "m6i.4xlarge", "c5n.18xlarge", "p6e-gb200.36xlarge"])
def test_a_head_node_is_of_any_type(instance: str) -> None:
    """Catalogued or not, whether or not anybody says how many pods it holds."""
    assert told({"head.instance": instance}) == {}


def test_nodes_are_of_types_whose_pods_nobody_counted() -> None:
    """Slurm has no pods."""
    assert told({f"{WORKERS}.instance": "p6e-gb200.36xlarge"}) == {}


def test_a_group_is_in_one_queue() -> None:
    """That is found by its name; nobody asks for one that there is not."""
    more = {"for": "inference", "instance": "g5.12xlarge", "nodes": 1}
    infer = {"groups": {"servers": more, "others": more}}
    described = a_slurm_description({"queues.infer": infer, "slurm": {"default-queue": "train"}})
    found = {name: described.queue_of(name) for name in described.groups}
    assert found == {"workers": "train", "servers": "infer", "others": "infer"}
    with pytest.raises(StopIteration):
        described.queue_of("nobody")
