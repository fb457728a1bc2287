"""The Dockerfiles: all in them is pinned, nothing is copied; and the commands that bring them to the registry."""

import re
import shlex
from dataclasses import replace
from typing import Any

import pytest

from muster.addons.context import Mirrors
from muster.jobs import images
from muster.jobs.catalogue import JOBS, JobOptions, manifest_of
from muster.jobs.kubernetes_jobs import make
from muster.versions import BERT_SOURCE, CUDA, FSDP_INDEX, FSDP_SOURCE, NCCL_TESTS_IMAGE, NEURON_TRAINING_IMAGE
from tests.jobs.clusters import a_blueprint, a_cluster_for, a_group, a_stored_cluster, a_system_group

NAMES = tuple(images.IMAGES)


def test_all_that_a_job_loads_is_of_one_cuda() -> None:
    """The base image, and PyTorch's packages."""
    assert f":cuda{CUDA}." in NCCL_TESTS_IMAGE
    assert FSDP_INDEX.endswith(f"/cu{CUDA.replace('.', '')}")


@pytest.mark.parametrize(("image", "unknown"), [("al2023", False), ({"custom": {"id": "ami-0123456789abcdef0"}}, True)])
def test_an_image_of_ones_own_may_have_an_older_driver(image: object, unknown: bool) -> None:
    """EKS's own images have a driver that is new enough."""
    blueprint = a_stored_cluster({"system": a_system_group(), "workers": a_group(image=image)})
    notes = make(JOBS["nccl-tests"], blueprint, JobOptions()).notes
    assert bool(notes) is unknown


def lines(name: str) -> list[str]:
    """Its instructions, each on one line."""
    text = images.image_of(name).dockerfile.replace("\\\n", " ")
    return [" ".join(line.split()) for line in text.splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize("name", NAMES)
def test_it_stands_alone(name: str) -> None:
    """`docker build -` has no folder to copy from."""
    instructions = {line.split()[0] for line in lines(name)}
    assert instructions <= {"ARG", "FROM", "RUN", "ENV", "WORKDIR"}
    assert [line for line in lines(name) if line.startswith(("ARG", "FROM"))] == lines(name)[:2]


@pytest.mark.parametrize(("name", "base"), [("pytorch-fsdp", NCCL_TESTS_IMAGE), ("trn1-bert", NEURON_TRAINING_IMAGE)])
def test_the_base_is_pinned(name: str, base: str) -> None:
    """By a tag that says its versions."""
    assert lines(name)[:2] == [f"ARG BASE={base}", "FROM $BASE"]
    tag = base.rpartition(":")[2]
    assert tag != "latest"
    assert re.search(r"\d+\.\d+", tag)


@pytest.mark.parametrize(("name", "commit"), [("pytorch-fsdp", FSDP_SOURCE), ("trn1-bert", BERT_SOURCE)])
def test_the_source_is_a_commit(name: str, commit: str) -> None:
    """Fetched by its hash, which vouches for it; no branch, no archive."""
    assert re.fullmatch(r"[0-9a-f]{40}", commit)
    text = " ".join(lines(name))
    (fetched,) = re.findall(r"fetch -q --depth 1 (\S+) (\S+)", text)
    assert fetched[0].startswith("https://github.com/")
    assert fetched[1] == commit
    assert not re.search(r"\b(main|master|latest|curl|wget)\b", text)


def test_packages_are_pinned() -> None:
    """Those that we name; the BERT samples name their own in a file of the same commit."""
    (installed,) = [line for line in lines("pytorch-fsdp") if "pip3 install" in line]
    packages = [word for word in shlex.split(installed) if word[0].isalpha() and word not in {"RUN", "pip3", "install"}]
    named = [word for word in packages if not word.startswith("https://")]
    assert named
    assert all(re.fullmatch(r"[a-z-]+==[0-9.]+", each) for each in named), named
    assert "pip3 install --no-cache-dir -r /bert/requirements.txt" in " ".join(lines("trn1-bert"))


def test_p5_gets_what_it_wants() -> None:
    """awsome-distributed-training, efa-cheatsheet.md: CUDA >= 12.0, NCCL >= 2.18.0, aws-ofi-nccl >= 1.7.2."""
    base = lines("pytorch-fsdp")[0]
    found = {
        name: tuple(map(int, re.search(rf"{word}v?(\d+)\.(\d+)\.(\d+)", base).groups()))  # type: ignore[union-attr]
        for name, word in (("cuda", "cuda"), ("nccl", "nccl"), ("ofi", "ofi"))
    }
    assert found["cuda"] >= (12, 0, 0)
    assert found["nccl"] >= (2, 18, 0)
    assert found["ofi"] >= (1, 7, 2)


@pytest.mark.parametrize("name", NAMES)
def test_where_it_is_pushed_is_where_jobs_look(name: str) -> None:
    """The registry's address with the image's name as tag; the platform is that of the nodes."""
    blueprint = a_stored_cluster()
    asked, logged, built, pushed = images.build_commands(blueprint, images.image_of(name))
    assert asked == "registry=$(pulumi stack output registry --stack tested)"
    assert logged.startswith("aws ecr get-login-password --region us-west-2 | docker login --username AWS ")
    assert built == f'muster image {name} | docker build --platform linux/amd64 --tag "$registry:{name}" -'
    assert pushed == f'docker push "$registry:{name}"'
    address = images.image_address(blueprint, name)
    assert address == f"fill-me-in.dkr.ecr.us-west-2.amazonaws.com/tested:{name}"
    assert f'"$(pulumi stack output registry --stack tested):{name}"' in images.placeholder_note(blueprint, name)


def test_without_a_registry_the_address_is_a_placeholder_all_the_same() -> None:
    """And the words say that there is none."""
    assert images.image_address(a_blueprint(), "trn1-bert") == "fill-me-in/trn1-bert"
    assert "add `registry: {}`" in images.placeholder_note(a_blueprint(), "trn1-bert")


def public(manifest: Any) -> set[str]:
    """Every image that a manifest names, but for those that are built."""
    named = re.findall(r"'image': '([^']+)'", str(manifest))
    return {each for each in named if not each.startswith(images.FILL_ME_IN)}


def public_images(name: str) -> set[str]:
    """The public images of a job, by the catalogue."""
    return {JOBS[name].image} - set(images.IMAGES)


@pytest.mark.parametrize("name", JOBS)
def test_a_job_says_which_public_images_it_runs(name: str) -> None:
    """Exactly those that its manifest names; each by a tag."""
    blueprint = a_cluster_for(name)
    assert public(manifest_of(JOBS[name], blueprint, JobOptions())) == public_images(name)
    assert all(re.search(r":[0-9a-z][\w.-]*\d", each) for each in public_images(name))


@pytest.mark.parametrize("name", JOBS)
def test_nodes_that_reach_nothing_else_take_them_from_the_mirror(name: str) -> None:
    """By the name that `muster mirror` copies them to."""
    blueprint = a_cluster_for(name)
    described = blueprint.described.model_copy(update={"image_mirror": "mirror.example/all"})
    mirrored = replace(blueprint, described=described)
    expected = {Mirrors(images="mirror.example/all").image(each) for each in public_images(name)}
    assert public(manifest_of(JOBS[name], mirrored, JobOptions())) == expected
    assert all(each.startswith("mirror.example/all/") for each in expected)
