"""The images of jobs: which they run, where they are found, and the commands that bring them there."""

import re
from dataclasses import replace
from typing import Any

import pytest

from muster.addons.context import Mirrors
from muster.jobs import images
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kubernetes_jobs import make
from muster.versions import CUDA, FSDP_INDEX, NCCL_TESTS_IMAGE
from tests.jobs.clusters import a_blueprint, a_cluster_for, a_group, a_stored_cluster, a_system_group, manifest_of


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


@pytest.mark.parametrize("name", images.IMAGES)
def test_where_it_is_pushed_is_where_jobs_look(name: str) -> None:
    """The registry's address with the image's name as tag; the platform is that of the nodes. Without a registry the
    address is a placeholder all the same, and the words say that there is none."""
    blueprint = a_stored_cluster()
    *_, built, pushed = images.build_commands(blueprint, images.image_of(name))
    assert f'--platform linux/amd64 --tag "$registry:{name}"' in built
    assert pushed == f'docker push "$registry:{name}"'
    assert images.image_address(blueprint, name) == f"fill-me-in.dkr.ecr.us-west-2.amazonaws.com/tested:{name}"
    assert f'"$(pulumi stack output registry --stack tested):{name}"' in images.placeholder_note(blueprint, name)
    assert images.image_address(a_blueprint(), name) == f"fill-me-in/{name}"
    assert "add `registry: {}`" in images.placeholder_note(a_blueprint(), name)


def public(manifest: Any) -> set[str]:
    """Every image that a manifest names, but for those that are built."""
    named = re.findall(r"'image': '([^']+)'", str(manifest))
    return {each for each in named if not each.startswith(images.FILL_ME_IN)}


@pytest.mark.parametrize("name", JOBS)
def test_a_job_says_which_public_images_it_runs(name: str) -> None:
    """Exactly those that its manifest names, each by a tag. Nodes that reach nothing else take them from the mirror, by
    the name that `muster mirror` copies them to."""
    blueprint, said = a_cluster_for(name), {JOBS[name].image} - set(images.IMAGES)
    assert public(manifest_of(JOBS[name], blueprint, JobOptions())) == said
    assert all(re.search(r":[0-9a-z][\w.-]*\d", each) for each in said)
    described = blueprint.described.model_copy(update={"image_mirror": "mirror.example/all"})
    mirrored = {Mirrors(images="mirror.example/all").image(each) for each in said}
    assert public(manifest_of(JOBS[name], replace(blueprint, described=described), JobOptions())) == mirrored
    assert all(each.startswith("mirror.example/all/") for each in mirrored)
