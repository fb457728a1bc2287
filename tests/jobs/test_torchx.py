"""The BERT jobs as TorchX components: what the file says, and what TorchX itself makes of it where it is at hand."""

import ast
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.blueprint.kubernetes import Blueprint
from muster.jobs import bert
from muster.jobs.catalogue import DoesNotFit
from tests.jobs import judge
from tests.jobs.clusters import a_group, a_hyperpod_cluster, a_stored_cluster, a_system_group

BOTH = (bert.precompile_component, bert.pretrain_component)


def a_cluster(**group: Any) -> Blueprint:
    workers = a_group(**{"instance": "trn1.32xlarge", **group})
    return a_stored_cluster({"system": a_system_group(), "workers": workers})


@pytest.mark.parametrize("job", BOTH, ids=lambda job: job.__name__)
def test_the_file_is_one_function_of_typed_arguments(job: Any) -> None:
    """As TorchX wants it: named after the job, with a type for each argument, and a docstring that tells them."""
    module = ast.parse(job(a_cluster()))
    (function,) = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    assert job.__name__ == f"{function.name.removeprefix('trn1_')}_component"
    assert [each.arg for each in function.args.args] == ["image", "nnodes", "script_args"]
    assert all(each.annotation for each in function.args.args)
    said = ast.get_docstring(function) or ""
    assert all(f"{each.arg}: " in said for each in function.args.args)


def test_its_head_says_how_it_is_run() -> None:
    """With the queue; with the namespace where the claim is in another one than `default`."""
    said = ast.get_docstring(ast.parse(bert.pretrain_component(a_cluster()))) or ""
    line = 'torchx run -s kubernetes --workspace "" -cfg queue=default trn1_pretrain.py:trn1_pretrain'
    assert said.splitlines()[-1].strip() == line
    elsewhere = a_stored_cluster(
        {"s": a_system_group(), "w": a_group(instance="trn1.32xlarge")},
        volcano={"queues": {"test": {}}},
        fsx_csi_driver={"namespace": "ml"},
    )
    assert "-cfg queue=test,namespace=ml " in bert.pretrain_component(elsewhere)


def test_on_hyperpod_nodes_have_their_own_types() -> None:
    """TorchX places by nothing else; of a taint of the user's it has no more word there."""
    groups = {"system": a_system_group(), "workers": a_group(instance="trn1.32xlarge")}
    assert '"ml.trn1.32xlarge"' in bert.pretrain_component(a_hyperpod_cluster(groups))
    groups["workers"]["taints"] = {"team": "NoSchedule"}
    with pytest.raises(DoesNotFit, match="cannot set tolerations,"):
        bert.pretrain_component(a_hyperpod_cluster(groups))


def dry_run(tmp_path: Path, job: Any, blueprint: Blueprint) -> dict[str, Any]:
    """What TorchX would send."""
    program = shutil.which("torchx")
    if program is None:
        pytest.skip("torchx is not on PATH: `pip install 'torchx[kubernetes]==0.7.0'` in an environment of its own")
    function = job.NAME.replace("-", "_")
    file = tmp_path / f"{function}.py"
    file.write_text(job(blueprint))
    arguments = ("run", "--dryrun", "-s", "kubernetes", "--workspace", "", "-cfg", "queue=default")
    done = subprocess.run([program, *arguments, f"{file}:{function}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return yaml.safe_load(done.stdout.partition("=== SCHEDULER REQUEST ===")[2])


@pytest.mark.parametrize("job", BOTH, ids=lambda job: job.__name__)
def test_torchx_makes_the_manifests_pods_of_it(tmp_path: Path, job: Any) -> None:
    """A task for each pod, of the same script, environment and limits; and they fit the nodes."""
    blueprint = a_cluster()
    sent, ours = dry_run(tmp_path, job, blueprint), job.build(blueprint)
    (expected,) = ours["spec"]["tasks"][0]["template"]["spec"]["containers"]
    name = sent["metadata"]["name"]
    assert [task["name"] for task in sent["spec"]["tasks"]] == ["worker-0", "worker-1"]
    for number, task in enumerate(sent["spec"]["tasks"]):
        (made,) = task["template"]["spec"]["containers"]
        script = expected["command"][2].replace('"$VC_TASK_INDEX"', str(number)).replace("$VC_TASK_INDEX", str(number))
        first = f"{job.NAME}-worker-0.{job.NAME}"
        assert made["command"] == ["/bin/bash", "-c", script.replace(first, f"{name}-worker-0-0.{name}")[:-1] + " \n"]
        assert made["resources"]["limits"] == {key: str(each) for key, each in expected["resources"]["limits"].items()}
        assert expected["env"] == [each for each in made["env"] if not each["name"].startswith("TORCHX_")]
        assert made["image"] == expected["image"]
    assert judge.fits(blueprint, [sent], {"workers": 2, "system": 1})
    assert not judge.fits(blueprint, [sent], {"workers": 1, "system": 1})
