"""What is printed of any legal Slurm cluster for AWS's own CLI: whole, with a source for each name that is open."""

import json
import re

import pytest
from hypothesis import given

from muster.blueprint.parallelcluster.build_image import MOST_COMPONENTS, build_image, image_id
from muster.blueprint.parallelcluster.configuration import configuration, configuration_with_placeholders
from muster.blueprint.parallelcluster.post_install import software
from muster.config.description.parallelcluster_nodes import Software
from muster.config.description.slurm_settings import Os
from muster.fleet.resources import HeadNode, LoginPool, Queue, Ref, Script
from muster.fleet.resources.parallelcluster import UPDATED
from muster.hardware.catalogue import Accelerator, hardware
from tests.factories.parallelcluster import WORKERS, a_slurm_blueprint
from tests.strategies import Described
from tests.strategies.parallelcluster import legal_slurm

OPEN = re.compile(r"\$\{(\w+)\}")


def scripts_of(node: HeadNode | LoginPool | Queue) -> tuple[Script, ...]:
    """Of our own all is known."""
    assert isinstance(node.scripts, tuple)
    return node.scripts


@given(legal_slurm())
def test_every_open_name_has_a_source_and_no_other(described: Described) -> None:
    """One name for one thing: filled in with its ids it is the configuration that the program hands over."""
    blueprint = described.blueprint("stack")
    printed, sources = configuration_with_placeholders(blueprint)
    assert list(dict.fromkeys(OPEN.findall(json.dumps(printed)))) == list(sources)
    assert all(sources.values())
    met: dict[str, str] = {}

    def named(reference: object) -> object:
        return met.setdefault(str(reference), f"id-{len(met)}") if isinstance(reference, Ref) else reference

    whole = configuration(blueprint, named)
    ids = dict(zip(sources, met.values(), strict=True))
    assert json.loads(OPEN.sub(lambda name: ids[name[1]], json.dumps(printed))) == whole


@given(legal_slurm())
def test_an_image_fits_every_node(drawn: Described) -> None:
    """Each script is in it or stays, with a reason; it is built on the nodes' architecture, and no larger than any."""
    blueprint = drawn.blueprint("stack")
    built = build_image(blueprint)
    build = built.configuration["Build"]
    baked = [each["Value"] for each in build.get("Components", [])]
    nodes = [scripts_of(blueprint.head), *(scripts_of(each.resource) for each in blueprint.queues)]
    nodes += [scripts_of(each) for each in blueprint.login_pools]
    every = {script for scripts in nodes for script in scripts if script.event != UPDATED}
    assert {*baked, *built.at_start} == {script.at for script in every}
    assert not {*baked} & {*built.at_start}
    assert not any(software(Script(at)) is Software.PYXIS for at in baked)
    assert all(Script(at) in scripts for at in baked for scripts in nodes)
    size = built.configuration["Image"]["RootVolume"]["Size"]
    described = blueprint.described
    roots = (described.head.root, *(queue.root for queue in described.queues.values()))
    assert size == min(each.size.gib for each in roots)
    machine = hardware(build["InstanceType"])
    assert machine.architecture == hardware(str(blueprint.head.instance)).architecture
    gpus = any(group.node.gpus for group in blueprint.groups)
    wants = gpus or any(software(script) is Software.PYXIS for script in every)
    assert ("Installation" in build) == wants == (machine.accelerator is Accelerator.GPU)
    assert re.fullmatch(r"[a-zA-Z][a-zA-Z0-9-]{0,127}", image_id(blueprint)), "PCLUSTER_IMAGE_ID_REGEX"


def test_an_image_takes_so_many_scripts() -> None:
    """More stay for the start, and are told."""
    scripts = [{"at": f"https://example.com/{number}.sh"} for number in range(MOST_COMPONENTS + 1)]
    built = build_image(a_slurm_blueprint({"post-install": {"scripts": scripts}}))
    assert len(built.configuration["Build"]["Components"]) == MOST_COMPONENTS
    assert set(built.at_start) == {scripts[-1]["at"]}


NEURON_BASE = {"alinux2023": "amazon-linux-2023", "ubuntu2204": "ubuntu-22.04", "ubuntu2404": "ubuntu-24.04"}
"""ParallelCluster's word -> AWS's in `/aws/service/neuron/dlami/base/` (Neuron DLAMI user guide)."""


@pytest.mark.parametrize("os", [each.value for each in Os])
def test_where_the_parent_image_is_found(os: str) -> None:
    """Of Neuron's machines where AWS has a base image with the driver; of Rocky Linux its own; else ParallelCluster's,
    for the nodes' architecture."""
    trn, p4 = (
        build_image(a_slurm_blueprint({"os": os, "image": "ami-0123456789abcdef0", f"{WORKERS}.instance": instance}))
        for instance in ("trn1.32xlarge", "p4d.24xlarge")
    )
    of_neuron = (
        f"/aws/service/neuron/dlami/base/{NEURON_BASE[os]}/latest/image_id" if os in NEURON_BASE else "AWS has none"
    )
    of_rocky = "https://rockylinux.org/download"
    own = f"pcluster list-official-images --region us-west-2 --os {os} --architecture x86_64"
    assert of_neuron in trn.parent
    assert (of_rocky if os.startswith("rocky") else own) in p4.parent


def test_gpus_before_turing_get_the_closed_driver() -> None:
    """ParallelCluster's own images have the open one, which does not know them: neither as a parent nor as a choice."""
    old, new = (
        build_image(a_slurm_blueprint({"image": "ami-0123456789abcdef0", f"{WORKERS}.instance": instance}))
        for instance in ("p3dn.24xlarge", "p4d.24xlarge")
    )
    assert old.configuration["DevSettings"] == {
        "Cookbook": {"ExtraChefAttributes": '{"cluster": {"nvidia": {"kernel_open": false}}}'}
    }
    assert "without ParallelCluster" in old.parent
    assert "DevSettings" not in new.configuration
    assert "without ParallelCluster" not in new.parent
