"""What is printed of any legal Slurm cluster for AWS's own CLI: whole, with a source for each name that is open."""

import json
import re

import pytest
from hypothesis import given

from muster.authority.environment import NotInstalled
from muster.authority.session import session
from muster.fleet.description.post_install import Software
from muster.fleet.hardware import Accelerator, hardware
from muster.fleet.parallelcluster.build_image import MOST_COMPONENTS, build_image, image_id
from muster.fleet.parallelcluster.configuration import configuration
from muster.fleet.parallelcluster.left_open import left_open
from muster.fleet.parallelcluster.post_install import software
from muster.fleet.resources import Ref, Script
from tests.authority.judged import derived
from tests.slurm_factories import WORKERS, a_slurm_blueprint
from tests.slurm_strategies import legal_slurm
from tests.strategies import Described

OPEN = re.compile(r"\$\{(\w+)\}")


@given(legal_slurm())
def test_every_open_name_has_a_source_and_no_other(described: Described) -> None:
    """One name for one thing: filled in with its ids it is the configuration that the program hands over."""
    blueprint = derived(described)
    printed, sources = left_open(blueprint)
    assert list(dict.fromkeys(OPEN.findall(json.dumps(printed)))) == list(sources)
    assert all(sources.values())
    met: dict[str, str] = {}

    def named(reference: object) -> object:
        return met.setdefault(str(reference), f"id-{len(met)}") if isinstance(reference, Ref) else reference

    whole = configuration(blueprint, named)
    ids = dict(zip(sources, met.values(), strict=True))
    assert json.loads(OPEN.sub(lambda name: ids[name[1]], json.dumps(printed))) == whole


@given(legal_slurm())
def test_an_image_fits_every_node(described: Described) -> None:
    """Each script is in it or stays, with a reason; it is built on the nodes' architecture, and no larger than any."""
    blueprint = derived(described)
    built = build_image(blueprint)
    build = built.configuration["Build"]
    baked = [each["Value"] for each in build.get("Components", [])]
    nodes = [blueprint.head.scripts, *(each.queue.scripts for each in blueprint.queues)]
    every = {script for scripts in nodes for script in scripts}
    assert {*baked, *built.at_start} == {script.at for script in every}
    assert not {*baked} & {*built.at_start}
    assert not any(software(Script(at)) is Software.PYXIS for at in baked)
    assert all(Script(at) in scripts for at in baked for scripts in nodes)
    size = built.configuration["Image"]["RootVolume"]["Size"]
    roots = [blueprint.head.root_gib, *(each.queue.root_gib for each in blueprint.queues)]
    assert size == min(roots)
    machine = hardware(build["InstanceType"])
    assert machine.architecture == hardware(str(blueprint.head.instance)).architecture
    gpus = any(group.node.gpus for group in blueprint.groups)
    wants = gpus or any(software(script) is Software.PYXIS for script in every)
    assert ("Installation" in build) == wants == (machine.accelerator is Accelerator.GPU)
    assert re.fullmatch(r"[a-zA-Z][a-zA-Z0-9-]{0,127}", image_id(blueprint)), "PCLUSTER_IMAGE_ID_REGEX"


@given(legal_slurm())
def test_aws_takes_the_configuration_of_an_image(described: Described) -> None:
    """By its package's own schema."""
    try:
        aws = session()
    except NotInstalled as cause:
        pytest.skip(str(cause))
    printed = json.dumps(build_image(derived(described)).configuration)
    filled = json.loads(OPEN.sub("ami-0123456789abcdef0", printed))
    assert aws.ask("image", configuration=filled) == []


def test_an_image_takes_so_many_scripts() -> None:
    """More stay for the start, and are told."""
    scripts = [{"at": f"https://example.com/{number}.sh"} for number in range(MOST_COMPONENTS + 1)]
    built = build_image(a_slurm_blueprint({"post-install": {"scripts": scripts}}))
    assert len(built.configuration["Build"]["Components"]) == MOST_COMPONENTS
    assert built.at_start == {scripts[-1]["at"]: "ParallelCluster takes 15 scripts in an image"}


def test_gpus_before_turing_get_the_closed_driver() -> None:
    """ParallelCluster's own images have the open one, which does not know them: neither as a parent nor as a choice."""
    old, new = (
        build_image(a_slurm_blueprint({"image": "ami-0123456789abcdef0", f"{WORKERS}.instance": instance}))
        for instance in ("p3dn.24xlarge", "p4d.24xlarge")
    )
    assert old.configuration["DevSettings"] == {
        "Cookbook": {"ExtraChefAttributes": '{"cluster": {"nvidia": {"kernel_open": false}}}'}
    }
    assert old.parent.startswith("an image of alinux2023 without ParallelCluster: ")
    assert "DevSettings" not in new.configuration
    assert new.parent.startswith("ParallelCluster's own image of 3.16.1")
