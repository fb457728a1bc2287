"""Values that are wrong by themselves: the words for them, and what is advised is right."""

from typing import Any

import pytest
from botocore.loaders import Loader

from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.hardware.catalogue import hardware, instance_types
from tests.factories import a_document
from tests.hyperpod_factories import a_hyperpod_document
from tests.slurm_factories import WORKERS, a_slurm_document

W = "groups.workers"


def told(document: dict[str, Any]) -> list[tuple[str, str]]:
    """What was found, and what to do."""
    return [(finding.got, finding.remedy) for _, finding in validate(model_of(document), document)[1]]


@pytest.mark.parametrize(
    ("make", "key"), [(a_hyperpod_document, f"{W}.hyperpod.threads-per-core"), (a_document, "logs.retention-days")]
)
@pytest.mark.parametrize(
    ("said", "got"),
    [
        (True, "true stands where a whole number belongs"),
        (1.0, "'1.0' stands where a whole number belongs"),
    ],
)
def test_a_choice_among_numbers_takes_numbers_alone(make: Any, key: str, said: Any, got: str) -> None:
    """To Python `true` is 1."""
    assert told(make({key: said})) == [(got, "write a whole number")]
    assert told(make({key: "1"})) == [("'1' is text here", "leave the quotes out")]
    assert told(make({key: 1})) == []


@pytest.mark.parametrize(
    ("said", "remedy"), [("500MiB", "write 1GiB"), ("1500MiB", "write 1GiB or 2GiB"), ("1025MiB", "write 1GiB or 2GiB")]
)
def test_no_volume_of_nothing_is_advised(said: str, remedy: str) -> None:
    found = told(a_hyperpod_document({f"{W}.hyperpod.volume": {"size": said}}))
    assert found == [(f"{said} is not a whole number of GiB", remedy)]


@pytest.mark.parametrize("make", [a_document, a_hyperpod_document])
@pytest.mark.parametrize(
    ("said", "got"),
    [
        ("3TiB", "huge-pages of 3072GiB leave nothing of p5.48xlarge's memory to pods"),
        ("1938000MiB", "huge-pages of 1938000MiB leave 410 MiB of p5.48xlarge's memory to pods"),
    ],
)
def test_huge_pages_beyond_the_memory(make: Any, said: str, got: str) -> None:
    """No node leaves less than nothing; what is advised is whole pages, and taken."""
    ((found, remedy),) = told(make({f"{W}.huge-pages": said}))
    advice, _, most = remedy.rpartition(" ")
    assert (found, advice) == (got, "set aside at most")
    assert told(make({f"{W}.huge-pages": most})) == []


@pytest.mark.parametrize("instance", [name for name in instance_types() if hardware(name).max_pods is not None])
def test_huge_pages_advised_are_whole_pages(instance: str) -> None:
    """Where the memory that is left is an odd number, too."""
    system = "groups.system"
    ((_, remedy),) = told(a_document({f"{system}.instance": instance, f"{system}.huge-pages": "9TiB"}))
    most = remedy.rpartition(" ")[2]
    assert told(a_document({f"{system}.instance": instance, f"{system}.huge-pages": most})) == []


@pytest.mark.parametrize("make", [a_document, a_hyperpod_document])
def test_sagemakers_name_of_a_type(make: Any) -> None:
    """Of one that there is: who adds `ml.` is said; another is not in the catalogue."""
    assert told(make({f"{W}.instance": "ml.p5.48xlarge"})) == [
        ("'ml.p5.48xlarge' is SageMaker's name of p5.48xlarge", "write p5.48xlarge: Muster adds ml. on HyperPod")
    ]
    ((got, _),) = told(make({f"{W}.instance": "ml.p5.49xlarge"}))
    assert got.startswith("'ml.p5.49xlarge' is not in the hardware catalogue")


@pytest.mark.parametrize(
    ("said", "found"), [("Four", "Four"), (True, "true"), (False, "false"), (0, "0"), (5001, "5001"), (2.5, "2.5")]
)
def test_no_number_of_nodes_of_slurm(said: Any, found: str) -> None:
    """It is told as it was written."""
    words = (f"'{found}' is not a number of nodes", "write one from 1 to 5000, as in 4, or {min, max}")
    assert told(a_slurm_document({f"{WORKERS}.nodes": said})) == [words]


@pytest.mark.parametrize(
    ("said", "found"), [("Four", "Four"), (True, "true"), (False, "false"), (0, "0"), (5001, "5001"), (2.5, "2.5")]
)
def test_no_number_of_nodes_of_eks(said: Any, found: str) -> None:
    """Likewise; both ends of what is one are taken."""
    words = (f"'{found}' is not a number of nodes", "write one from 1 to 5000, as in 4, or {min, start, max}")
    assert told(a_document({f"{W}.nodes": said})) == [words]


@pytest.mark.parametrize(("make", "key"), [(a_document, "groups.system.nodes"), (a_slurm_document, f"{WORKERS}.nodes")])
@pytest.mark.parametrize("number", [1, 5000])
def test_the_fewest_and_the_most_nodes(make: Any, key: str, number: int) -> None:
    assert told(make({key: number})) == []


def with_data(edits: dict[str, Any]) -> dict[str, Any]:
    """A cluster with a file system that is linked to S3."""
    lustre = {"size": "1200GiB", "throughput": 250, "data": {"/data": {"s3": "s3://ours"}}}
    return a_document({"storage": {"fast": {"lustre": lustre}}, **edits})


TWICE: list[tuple[Any, str, Any]] = [
    (with_data, "storage.fast.lustre.data./data.import", "new"),
    (with_data, "storage.fast.lustre.data./data.export", "deleted"),
    (a_document, f"{W}.security-groups", "sg-0123456789abcdef0"),
    (a_hyperpod_document, f"{W}.security-groups", "sg-0123456789abcdef0"),
    (a_hyperpod_document, f"{W}.hyperpod.deep-health-checks", "instance-stress"),
    (a_slurm_document, "head.security-groups", "sg-0123456789abcdef0"),
    (a_slurm_document, "queues.train.security-groups", "sg-0123456789abcdef0"),
    (a_slurm_document, "queues.train.zones", "us-west-2a"),
    (a_slurm_document, "post-install.install", "docker"),
    (a_document, "addons-in", "organization/muster/more"),
]


@pytest.mark.parametrize(("make", "key", "value"), TWICE, ids=[key for _, key, _ in TWICE])
def test_what_is_listed_stands_once(make: Any, key: str, value: str) -> None:
    """Twice is told, by its name; three times is told no more often."""
    assert told(make({key: [value]})) == []
    for times in (2, 3):
        assert told(make({key: [value] * times})) == [(f"{value} is given twice", "keep one")]


def test_a_network_has_each_zone_once() -> None:
    """Of two, and of three: a cluster has no fewer."""
    for zones, words in (
        ("ab", []),
        ("aab", [("us-west-2a is given twice", "keep one")]),
        ("abb", [("us-west-2b is given twice", "keep one")]),
    ):
        network = {"create": {"zones": [f"us-west-2{each}" for each in zones]}}
        assert told(a_document({"network": network})) == words


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("localhost/mirror", True),
        ("localhost:5000", True),
        ("registry.example.org/teams/ml", True),
        ("mirror/of.all", False),
        ("mirror", False),
    ],
)
def test_a_registry_of_images_begins_with_a_host(said: str, is_one: bool) -> None:
    """Which has a dot or a port, or is this machine; a dot further on is none of its."""
    assert ([got for got, _ in told(a_document({"image-mirror": said}))] == []) == is_one


@pytest.mark.parametrize("make", [a_document, a_hyperpod_document])
@pytest.mark.parametrize(
    "key", ["muster/group", "kubernetes.io/arch", "a.kubernetes.io/x", "k8s.io/x", "a.k8s.io/x", "eks.amazonaws.com/x"]
)
def test_a_label_that_others_set(make: Any, key: str) -> None:
    """A prefix of Muster, Kubernetes or EKS is refused; the same words after the slash, or without one, are not."""
    words = (f"'{key}' is not yours to set", "take another prefix, or none")
    assert told(make({f"{W}.labels": {key: "x"}})) == [words]
    prefix, _, name = key.partition("/")
    assert told(make({f"{W}.labels": {prefix: "x", f"example.com/{prefix}": "x", name: "x"}})) == []


@pytest.mark.parametrize(("ended", "instead"), [("ubuntu1804", "ubuntu2204"), ("ubuntu2004", "ubuntu2204")])
def test_an_operating_system_that_is_no_more_is_told_its_successor(ended: str, instead: str) -> None:
    """By the word to write."""
    words = (f"'{ended}' is an operating system that ParallelCluster 3.16 no longer has", f"write {instead}")
    assert told(a_slurm_document({"os": ended})) == [words]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a", False),
        ("ab", True),
        ("a" * 256, True),
        ("a" * 257, False),
        ("ML", False),
        ("ml/training", True),
        ("ml//a", False),
    ],
)
def test_a_repositorys_name(name: str, *, is_one: bool) -> None:
    """2 to 256 small letters, digits and their separators."""
    found = told(a_document({"registry": {"repository": name}}))
    assert [got for got, _ in found] == ([] if is_one else [f"'{name}' is not the name of an ECR repository"])


def test_one_principal_has_a_policy_once() -> None:
    """Two policies are two entries; twice the same is one with all its namespaces."""
    role = "arn:aws:iam::210987654321:role/ada"
    entries = [
        {"principal": role, "policy": policy, "namespaces": [name]} for policy, name in (("edit", "a"), ("view", "b"))
    ]
    assert told(a_document({"access": entries})) == []
    twice = a_document({"access": [*entries, {**entries[0], "namespaces": ["c"]}]})
    assert told(twice) == [(f"{role} is given edit twice", "keep one, with all its namespaces")]


def test_a_group_of_hyperpod_has_as_many_instances_as_sagemaker_takes() -> None:
    """Its model says how many that is."""
    most = Loader().load_service_model("sagemaker", "service-2")["shapes"]["ClusterInstanceCount"]["max"]
    assert told(a_hyperpod_document({f"{W}.nodes": most})) == []
    assert told(a_hyperpod_document({f"{W}.nodes": most + 1})) == [
        (f"'{most + 1}' is not a number of instances", f"write one up to {most}, as in 4, or {{count, minimum}}")
    ]
    for key in ("count", "minimum"):
        said = {"count": most, key: most + 1}
        assert told(a_hyperpod_document({f"{W}.nodes": said}))[0] == (
            f"{most + 1} is out of range",
            f"write at most {most}",
        )


@pytest.mark.parametrize(
    ("key", "what", "least"), [("head.root", "a root volume", "40GiB"), ("head.apps", "a volume", "6GiB")]
)
def test_a_volume_of_the_head_node_has_a_size_that_parallelcluster_takes(key: str, what: str, least: str) -> None:
    """From the least to the most, and no GiB fewer or more."""
    most, fewest = 16384, int(least.removesuffix("GiB"))
    for gib, is_one in ((fewest - 1, False), (fewest, True), (most, True), (most + 1, False)):
        words = [] if is_one else [(f"{gib}GiB is not {what}", f"give {least} to {most}GiB")]
        assert told(a_slurm_document({key: f"{gib}GiB"})) == words


BACKENDS = [a_document, a_hyperpod_document, a_slurm_document]


@pytest.mark.parametrize("make", BACKENDS)
@pytest.mark.parametrize("key", ["", "t" * 129, "aws:", "aws:team", "AWS:team", "Aws:cloudformation:stack-name"])
def test_a_tag_that_aws_does_not_take(make: Any, key: str) -> None:
    """Its own prefix, however it is written (EC2 user guide, "Tag restrictions"), and what is too long or nothing."""
    words = (f"'{key}' is not a tag AWS takes", "write 1 to 128 characters, not beginning with aws:")
    assert told(make({"tags": {key: "x"}})) == [words]


@pytest.mark.parametrize("make", BACKENDS)
@pytest.mark.parametrize(
    "key",
    ["eks:nodegroup-name", "muster:stack", "kubernetes.io/cluster/x", "k8s.io/x", "a-b.k8s.io/x", "a.kubernetes.io/"],
)
def test_a_tag_that_others_set(make: Any, key: str) -> None:
    words = (f"'{key}' is for EKS, Kubernetes and Muster to set", "take another key")
    assert told(make({"tags": {key: "x"}})) == [words]
    assert told(make({"tags": {f"our {key}": "x"}})) == []


@pytest.mark.parametrize("make", BACKENDS)
def test_a_tag_that_is_ones_own(make: Any) -> None:
    """The longest of both, none of a value, and what is nearly others'."""
    assert (
        told(make({"tags": {"t" * 128: "v" * 256, "aws": "", "awsx:y": "", "team:aws:": "", "eks": "", "muster": ""}}))
        == []
    )
    assert told(make({"tags": {"team": "v" * 257}})) == [("a tag's value of 257 characters", "write 256 at most")]


@pytest.mark.parametrize("word", [True, False])
def test_no_number_of_instances_is_told_as_the_file_has_it(*, word: bool) -> None:
    (fault,) = told(a_hyperpod_document({f"{W}.nodes": word}))
    assert fault[0] == f"'{str(word).lower()}' is not a number of instances"
