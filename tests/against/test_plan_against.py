"""`muster plan STACK --against REF`: what changes since a commit, and what it costs."""

import json
from pathlib import Path

import pytest

from muster.cli.commands.plan_against import GATES
from muster.config.change_costs import LEGEND
from tests.against.repositories import against, commit, compared, costs, says
from tests.cli.conftest import Muster
from tests.stack_files import AS_OF, ROOT


def test_an_unchanged_stack_changes_nothing(repository: Muster) -> None:
    """The two recordings of one description are the same."""
    found = compared(repository)
    assert (found["changes"], found["resources"], found["consequences"], found["notes"]) == ([], [], [], [])
    assert found["dearest"] == "nothing"
    assert against(repository).out.splitlines()[2] == "p5-odcr: 0 changes in the description; no resource changes"


def test_a_larger_volume_drains_the_group(repository: Muster) -> None:
    """A description's path with both values and its place, the template and the group, and how many nodes."""
    repository.edit("size: 300GiB", "size: 400GiB")
    found = compared(repository)
    line, column = repository.place("400GiB", "size: 400GiB")
    file = str(Path("stacks") / "Pulumi.p5-odcr.yaml")
    assert found["changes"] == [
        {
            "path": "groups.workers.volume.size",
            "before": "300GiB",
            "after": "400GiB",
            "cost": "drains nodes",
            "where": {"file": file, "line": line, "column": column},
        }
    ]
    assert [(each["operation"], each["type"].rpartition(":")[2], each["name"]) for each in found["resources"]] == [
        ("update", "LaunchTemplate", "workers"),
        ("update", "NodeGroup", "workers"),
    ]
    assert found["resources"][0]["inputs"] == ["blockDeviceMappings[0].ebs.volumeSize"]
    assert says(found) == ["drains and replaces 1 node of group 'workers'"]


def test_the_dearest_stands_first(repository: Muster) -> None:
    """In what is said, in what becomes of resources, and in what it comes to."""
    repository.edit("size: 300GiB", "size: 400GiB")
    repository.edit("    addons:\n", "    name: another\n    logs: {retention-days: 30}\n    addons:\n")
    found = compared(repository)
    assert [each["cost"] for each in found["changes"]] == ["replaces", "drains nodes", "in place"]
    operations = [each["operation"] for each in found["resources"]]
    assert operations == sorted(operations, key=["delete", "replace", "update", "create"].index)
    assert says(found) == [
        "replaces group 'system': its 1 to 3 nodes are terminated, and new nodes launch",
        "replaces group 'workers': its 1 node is terminated, and new nodes launch",
        "replaces the EKS cluster: everything that runs on it stops",
        "replaces the log group 'control-plane': its logs are lost",
    ]
    assert found["dearest"] == "replaces"


def test_the_two_recordings_are_read_by_meaning(repository: Muster) -> None:
    """One meaning written in two ways is no change."""
    repository.edit("nodes: 1\n", "nodes: {min: 1, start: 1, max: 1}\n")
    assert compared(repository)["changes"] == []


def test_the_text_names_places_costs_and_totals(repository: Muster) -> None:
    """Each place as editors and terminals jump to, each cost with the legend's words, the totals in one line."""
    repository.edit("size: 300GiB", "size: 400GiB")
    out = against(repository).out.splitlines()
    line, column = repository.place("400GiB", "size: 400GiB")
    assert out[0].startswith("p5-odcr: changes since main (")
    assert out[1] == "  drains nodes: drains and replaces 1 node of group 'workers'"
    assert "drains nodes (nodes are drained and replaced, one at a time in each group)" in out
    path = "groups.workers.volume.size: 300GiB -> 400GiB"
    assert f"  stacks/Pulumi.p5-odcr.yaml:{line}:{column}: {path}" in out
    assert "  aws:eks/nodeGroup:NodeGroup workers: launchTemplate.version" in out
    totals = (
        "1 change in the description (1 drains nodes); resources: 2 updated in place; highest change cost: drains nodes"
    )
    assert f"p5-odcr: {totals}" in out


@pytest.mark.parametrize(("gate", "code"), [("next-launch", 1), ("drains", 1), ("replaces", 0), ("buys", 0)])
def test_a_gate_fails_from_its_cost_upwards(repository: Muster, gate: str, code: int) -> None:
    """Changes are no findings; only --fail-on makes some of them stop."""
    repository.edit("size: 300GiB", "size: 400GiB")
    assert against(repository).code == 0
    assert against(repository, "--fail-on", gate).code == code


def test_a_finding_of_today_still_counts(repository: Muster) -> None:
    """The description that is to come is judged, as by `plan` without a ref."""
    repository.edit('"1.35"', '"1.30"')
    ran = against(repository)
    assert ran.code == 1
    assert "kubernetes-version-supported" in ran.out


def test_a_block_that_is_bought_is_told(repository: Muster) -> None:
    """Money that is spent for good is the dearest there is."""
    repository.take("p5-capacity-block")
    commit(repository.folder)
    buy = "buy: {offering: cb-0f7e8662751ff4036, approved: {offering: cb-0f7e8662751ff4036, by: Ada}}"
    repository.edit("id: cr-fill-me-in", buy, "p5-capacity-block")
    found = compared(repository, stack="p5-capacity-block", ref="HEAD")
    assert found["dearest"] == "buys"
    assert says(found)[0].startswith("buys the Capacity Block 'cb-0f7e8662751ff4036'")


def test_a_kept_file_system_stops_up(repository: Muster) -> None:
    """What holds data is lost by a replacement, and while it is kept `up` does nothing at all."""
    repository.take("trn1")
    commit(repository.folder)
    text = repository.file("trn1").read_text()
    repository.file("trn1").write_text(text.replace("throughput: 250", f"throughput: 250, key: {_KEY}"))
    found = compared(repository, stack="trn1", ref="HEAD")
    assert [each["cost"] for each in found["consequences"]][:2] == ["AWS refuses it", "replaces"]
    assert "'scratch' is protected (on-destroy: keep) and cannot be replaced" in says(found)[0]
    assert says(found)[1] == "replaces the file system 'scratch': its files are lost"


_KEY = "arn:aws:kms:us-west-2:210987654321:key/01234567-89ab-cdef-0123-456789abcdef"


def test_another_key_for_secrets_reaches_no_cluster(repository: Muster) -> None:
    """EKS changes no key, and Terraform's provider asks it for nothing: what deletes the old one loses the secrets."""
    repository.edit("    addons:\n", f"    secrets-key: {_KEY}\n    addons:\n")
    found = compared(repository)
    assert costs(found) == {"secrets-key": "stays as it was"}
    assert any("deletes the KMS key 'secrets'" in each for each in says(found))
    assert "replace" not in {each["operation"] for each in found["resources"]}


def test_a_group_of_hyperpod_that_aws_refuses_to_change(repository: Muster) -> None:
    """Its groups are inputs of one resource, so that only the description says what they cost."""
    repository.take("hyperpod-existing-eks")
    commit(repository.folder)
    repository.edit("instance: p5.48xlarge", "instance: p5e.48xlarge", "hyperpod-existing-eks")
    found = compared(repository, stack="hyperpod-existing-eks", ref="HEAD")
    assert costs(found) == {"groups.workers.instance": "AWS refuses it"}
    refused = "AWS refuses the change for group 'workers': give it another name, which creates another group"
    assert f"{refused}; its 2 to 4 nodes are terminated" in says(found)


def test_a_queue_of_slurm_needs_the_fleet_stopped(repository: Muster) -> None:
    """How many nodes stop with it."""
    repository.take("pcluster-gpu")
    commit(repository.folder)
    text = repository.file("pcluster-gpu").read_text()
    repository.file("pcluster-gpu").write_text(text.replace("instance: p4de.24xlarge", "instance: p4d.24xlarge"))
    found = compared(repository, stack="pcluster-gpu", ref="HEAD")
    assert found["dearest"] == "needs the compute fleet stopped"
    assert says(found) == [
        ("requires that you stop the compute fleet (`pcluster update-compute-fleet`): the jobs on 4 nodes stop")
    ]


def levels(text: str) -> list[tuple[str, str]]:
    """Level and words of what changes, of a report in SARIF."""
    (run,) = json.loads(text)["runs"]
    return [
        (each["level"], each["message"]["text"].partition("\n")[0])
        for each in run["results"]
        if each["ruleId"] == "change"
    ]


@pytest.mark.parametrize(("gate", "level", "code"), [("drains", "error", 1), ("replaces", "warning", 0)])
def test_every_format_has_the_change_and_the_verdict(repository: Muster, gate: str, level: str, code: int) -> None:
    """At the changed line, and none says otherwise than the exit code."""
    repository.edit("size: 300GiB", "size: 400GiB")
    files = [f"{form}=r.{form}" for form in ("sarif", "junit", "markdown", "github")]
    ran = against(repository, "--fail-on", gate, "-o", ",".join(files))
    assert ran.code == code
    sarif, junit, markdown, github = (Path(f"r.{each.partition('=')[0]}").read_text() for each in files)
    assert sorted(levels(sarif)) == [
        (level, "drains nodes: 300GiB -> 400GiB"),
        (level, "drains nodes: drains and replaces 1 node of group 'workers'"),
    ]
    assert json.loads(sarif)["runs"][0]["invocations"][0]["exitCode"] == code
    line, column = repository.place("400GiB", "size: 400GiB")
    shown = "error" if level == "error" else "warning"
    place = f"::{shown} file=stacks/Pulumi.p5-odcr.yaml,line={line},col={column},"
    assert place in github
    kind = "mandatory" if level == "error" else "advisory"
    assert f'type="{kind}" message="drains nodes: 300GiB -&gt; 400GiB"' in junit
    assert "no findings" not in markdown
    assert "drains nodes: 300GiB -" in markdown


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("1.35", "1.34", "EKS cannot downgrade from Kubernetes 1.35 to 1.34; keep 1.35, or create another cluster"),
        (
            "1.33",
            "1.35",
            "EKS upgrades one minor version at a time, so not from Kubernetes 1.33 to 1.35; set 1.34 first",
        ),
        ("1.34", "1.35", ""),
    ],
)
def test_a_version_that_eks_does_not_go_to_is_refused(repository: Muster, before: str, after: str, words: str) -> None:
    """One minor version up, never down; the provider asks for either."""
    said = 'kubernetes: "1.35"'
    repository.edit(said, f'kubernetes: "{before}"') if before != "1.35" else None
    commit(repository.folder)
    repository.edit(f'kubernetes: "{before}"', f'kubernetes: "{after}"')
    found = compared(repository, ref="HEAD")
    assert [each["says"] for each in found["consequences"] if each["cost"].startswith("AWS")] == [words] * bool(words)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("4", "1", ["removes 3 nodes of group 'workers': pods there stop"]),
        (
            "{min: 0, start: 0, max: 4, scaled-by: you}",
            "{min: 0, start: 0, max: 3, scaled-by: you}",
            ["removes up to 1 node of group 'workers': pods there stop"],
        ),
        ("1", "4", []),
    ],
)
def test_fewer_nodes_end_what_runs(repository: Muster, before: str, after: str, told: list[str]) -> None:
    """In place for the group, and not for those who train there."""
    repository.edit("        nodes: 1\n", f"        nodes: {before}\n")
    commit(repository.folder)
    repository.edit(f"        nodes: {before}\n", f"        nodes: {after}\n")
    found = compared(repository, ref="HEAD")
    assert says(found) == told
    assert found["dearest"] == ("drains nodes" if told else "in place")


def test_another_name_of_the_controller_replaces_it(repository: Muster) -> None:
    """It is an input of the HyperPod cluster, so that no resource is replaced."""
    repository.take("hyperpod-slurm-p5")
    commit(repository.folder)
    repository.edit("    controller:\n", "    controller:\n      name: head\n", "hyperpod-slurm-p5")
    found = compared(repository, stack="hyperpod-slurm-p5", ref="HEAD")
    assert costs(found) == {"controller.name": "replaces"}
    assert says(found) == [
        "another controller replaces 'controller', without the jobs that are queued there",
        "replaces group 'controller': its 1 node is terminated, and new nodes launch",
    ]


@pytest.mark.parametrize(
    ("stack", "one", "three"),
    [
        ("pcs-p5", "login: {instance: m5.2xlarge}", "login: {instance: m5.2xlarge, nodes: 3}"),
        ("hyperpod-slurm-p5", "      nodes: 1\n", "      nodes: 3\n"),
    ],
)
def test_fewer_login_nodes_end_sessions(repository: Muster, stack: str, one: str, three: str) -> None:
    repository.take(stack)
    repository.edit(one, three, stack)
    commit(repository.folder)
    repository.edit(three, one, stack)
    found = compared(repository, stack=stack, ref="HEAD")
    assert says(found) == ["removes 2 nodes of group 'login': sessions of users there end"]
    assert found["dearest"] == "drains nodes"


_LOGIN = "    login:\n      instance: m5.4xlarge # users log in here (the output login.session), and submit jobs\n"


@pytest.mark.parametrize(
    ("stack", "before", "after", "cost", "words"),
    [
        ("pcs-p5", "      accounting: {keep-days: 365}\n", "", "deletes", "the pages of the PCS user guide disagree"),
        ("pcs-p5", '"25.11"', '"24.11"', "AWS refuses it", "PCS updates Slurm only to a newer version"),
        (
            "pcs-p5",
            '"25.11"',
            '"26.05"',
            "in place",
            "updates Slurm from 25.11 to 26.05, and PCS cannot go back: `image`",
        ),
        ("pcs-p5", "{min: 2, max: 4}", "{min: 0, max: 1}", "drains nodes", "removes up to 3 nodes of group 'p5-nodes'"),
        ("hyperpod-slurm-p5", "nodes: 4\n", "nodes: 2\n", "drains nodes", "removes 2 nodes of group 'workers': jobs"),
        ("hyperpod-slurm-p5", f"{_LOGIN}      nodes: 1\n", "", "deletes", "deletes group 'login': its 1 node"),
        ("hyperpod-existing-eks", "      provisioning: continuous\n", "", "AWS refuses it", "SageMaker cannot turn"),
        (
            "hyperpod-teams",
            "inference: 90",
            "inference: 95",
            "nothing",
            "`pulumi up` does not change the cluster policy",
        ),
        (
            "hyperpod-teams",
            "          research:\n",
            "          science:\n",
            "deletes",
            "deletes the quota of team 'res",
        ),
    ],
)
def test_what_aws_refuses_or_takes_away_is_told(
    repository: Muster, stack: str, before: str, after: str, cost: str, words: str
) -> None:
    """The cost of the whole change is the highest one, so that a gate stops it."""
    repository.take(stack)
    commit(repository.folder)
    repository.edit(before, after, stack)
    found = compared(repository, stack=stack, ref="HEAD")
    assert found["dearest"] == cost
    assert says(found)[0].startswith(words)


def test_a_key_of_a_block_without_a_way_back_can_change(repository: Muster) -> None:
    """Only the block itself stays for good."""
    repository.take("pcs-p5")
    commit(repository.folder)
    repository.edit("keep-days: 365", "keep-days: 30", "pcs-p5")
    found = compared(repository, stack="pcs-p5", ref="HEAD")
    assert (costs(found), says(found)) == ({"slurm.accounting.keep-days": "in place"}, [])


def test_a_removed_key_is_at_the_key_of_its_block(repository: Muster) -> None:
    """Not at the first key that is left there."""
    repository.edit("        volume: {size: 300GiB}\n", "")
    (change,) = compared(repository)["changes"]
    line, column = repository.place("workers:", "workers:")
    assert (change["path"], change["where"]["line"], change["where"]["column"]) == (
        "groups.workers.volume.size",
        line,
        column,
    )


def test_a_change_without_a_way_back_says_so(repository: Muster) -> None:
    """Before it is made."""
    stack, line = "hyperpod-existing-eks", "      provisioning: continuous\n"
    repository.take(stack)
    text = repository.file(stack).read_text()
    repository.edit(line, "", stack)
    commit(repository.folder)
    repository.file(stack).write_text(text)
    found = compared(repository, stack=stack, ref="HEAD")
    assert says(found) == ["turns continuous provisioning on: SageMaker cannot turn it off again"]
    assert found["dearest"] == "in place"


def test_a_device_plugin_instead_of_a_driver_needs_empty_nodes(repository: Muster) -> None:
    """Nodes still offer the devices, those of running pods too."""
    repository.take("p5-dra")
    commit(repository.folder)
    repository.edit("nvidia-dra-driver: {}", "nvidia-device-plugin: {}", "p5-dra")
    found = compared(repository, stack="p5-dra", ref="HEAD")
    assert found["dearest"] == "replaces"
    assert says(found)[0].startswith(
        "replaces add-on 'nvidia-dra-driver' with 'nvidia-device-plugin'. Let the jobs that use GPUs end first"
    )


def test_a_cluster_without_auto_mode_stays(repository: Muster) -> None:
    """A value that AWS chose replaces nothing when the program no longer sets it; the provider fails instead. The new
    group has the name of the deleted one, and its own number of nodes."""
    repository.take("g5-auto-mode")
    commit(repository.folder)
    repository.edit("provisioned-by: auto-mode", "provisioned-by: node-group", "g5-auto-mode")
    found = compared(repository, stack="g5-auto-mode", ref="HEAD")
    replaced = [each["type"] for each in found["resources"] if each["operation"] == "replace"]
    assert "aws:eks/cluster:Cluster" not in replaced
    assert says(found)[0].startswith("`pulumi up` cannot turn EKS Auto Mode off")
    assert "adds group 'workers': 4 nodes" in says(found)


def test_another_backend_is_compared_by_its_resources(repository: Muster) -> None:
    """Descriptions of two kinds have no keys in common."""
    other = (ROOT / "stacks" / "Pulumi.pcluster-gpu.yaml").read_text()
    repository.file().write_text(other)
    found = compared(repository)
    assert costs(found) == {"backend": "replaces"}
    assert [(each["before"], each["after"]) for each in found["changes"]] == [("eks", "parallelcluster")]
    assert {"delete", "create"} <= {each["operation"] for each in found["resources"]}
    assert "the two descriptions have different backends" in found["notes"][0]


def test_a_file_that_todays_schema_refuses_is_compared_as_text(repository: Muster) -> None:
    """It says which fault, where git has it, and that nobody can say what becomes of resources."""
    good = repository.file().read_text()
    repository.edit("provided-by: aws", "provded-by: aws")
    commit(repository.folder)
    repository.file().write_text(good.replace("size: 300GiB", "size: 400GiB"))
    found = compared(repository, ref="HEAD")
    assert found["resources"] is None
    assert found["notes"][0].startswith("HEAD:stacks/Pulumi.p5-odcr.yaml does not match the current schema (")
    assert "HEAD:stacks/Pulumi.p5-odcr.yaml:" in found["notes"][0].partition("the first: ")[2]
    assert costs(found)["groups.workers.volume.size"] == "drains nodes"
    assert "; the resource changes are unknown" in against(repository, ref="HEAD").out


def test_another_region_makes_everything_anew(repository: Muster) -> None:
    """The names stay, so that no recording shows it."""
    repository.edit("aws:region: us-west-2", "aws:region: us-east-1")
    found = compared(repository)
    assert costs(found) == {"aws:region": "replaces"}
    assert found["notes"] == ["the Region changes from us-west-2 to us-east-1, so all AWS resources are replaced"]


def test_facts_that_are_known_otherwise_cost_nothing(repository: Muster) -> None:
    """No resource carries them; they are told with their own file."""
    repository.facts({"contract": 1})
    commit(repository.folder)
    repository.facts({"contract": 1, "subnets": {"subnet-fill-me-in-private-a": {"freeAddresses": 400}}})
    found = compared(repository, ref="HEAD")
    assert costs(found) == {"facts: subnets": "nothing"}
    assert found["changes"][0]["where"]["file"].endswith("p5-odcr.json")


def test_an_input_is_told_once(repository: Muster) -> None:
    """The list that replaces, and not its items again."""
    repository.edit("us-west-2b: subnet-fill-me-in-private-b", "us-west-2b: subnet-0bbbbbbbbbbbbbbbb")
    repository.edit("us-west-2a: subnet-fill-me-in-private-a", "us-west-2a: subnet-0aaaaaaaaaaaaaaaa")
    lines = (line.strip() for line in against(repository).out.splitlines())
    assert {line for line in lines if "subnetIds" in line} == {
        "aws:eks/nodeGroup:NodeGroup system: because of subnetIds",
        "aws:eks/nodeGroup:NodeGroup workers: because of subnetIds",
        "aws:eks/cluster:Cluster cluster-eksCluster: vpcConfig.subnetIds[0], vpcConfig.subnetIds[1]",
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--fail-on", "drains"), "--fail-on requires --against REF"),
        (("--was", "p5-odcr"), "--was requires --against REF"),
        (("--against", "main", "--fail-on", "drain"), "'drain' is not a change cost; did you mean 'drains'?"),
        (("--against", "main", "--was", "p5-odc"), "no stack 'p5-odc' at main; did you mean 'p5-odcr'?"),
    ],
)
def test_wrong_options_are_refused_in_words(repository: Muster, arguments: tuple[str, ...], words: str) -> None:
    """Each with what to give."""
    ran = repository("plan", "p5-odcr", "--as-of", AS_OF, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_the_plan_is_the_same_beside_it(repository: Muster) -> None:
    """Fields are added, none is changed."""
    alone = repository("plan", "p5-odcr", "--json", "--as-of", AS_OF).json
    beside = against(repository, "--json").json
    assert beside.pop("against")["ref"] == "main"
    assert json.dumps(beside) == json.dumps(alone)


def test_the_page_names_every_cost_of_the_gate() -> None:
    """In their order, and with the fields that programs read."""
    page = (ROOT / "docs" / "how-to" / "review-a-change.md").read_text()
    assert ", ".join(f"`{cost}`" for cost in GATES) in page.replace("\n", " ")
    order = list(LEGEND)
    assert sorted(GATES.values(), key=order.index) == list(GATES.values())


def test_the_fields_that_programs_read(repository: Muster) -> None:
    """Fields may be added, never renamed."""
    repository.edit("size: 300GiB", "size: 400GiB")
    found = compared(repository)
    page = (ROOT / "docs" / "how-to" / "review-a-change.md").read_text()
    for field in [*found, *found["changes"][0], *found["resources"][0], *found["consequences"][0]]:
        assert f"`{field}`" in page, field


def test_a_renamed_group_that_holds_a_reservation_is_warned_of(repository: Muster) -> None:
    """It is made while the old one holds the reservation; the report names the key that keeps it."""
    repository.edit("\n      workers:\n", "\n      trainers:\n")
    found = compared(repository)
    assert [each for each in says(found) if "was: workers" in each and "cr-" in each]
    assert found["dearest"] == "deletes"


def test_a_renamed_group_stays_with_was(repository: Muster) -> None:
    """No resource is made, replaced or deleted, and no node goes."""
    repository.edit("\n      workers:\n", "\n      trainers:\n        was: workers\n")
    found = compared(repository)
    assert {each["operation"] for each in found["resources"]} == {"update"}
    assert costs(found) == {"groups.trainers.was": "in place"}
    assert says(found) == []


def test_was_that_names_no_group_of_then_is_told_with_the_nearest(repository: Muster) -> None:
    """The group is new, and the one that was meant is deleted."""
    repository.edit("\n      workers:\n", "\n      trainers:\n        was: wrkers\n")
    found = compared(repository)
    assert [each for each in found["notes"] if "'wrkers'" in each and "did you mean 'workers'" in each]
    assert costs(found) == {"groups.workers": "deletes", "groups.trainers": "in place"}
    assert [each for each in says(found) if "adds group 'trainers'" in each]
    assert not [each for each in says(found) if "'wrkers'" in each]
