"""Sound templates, modelled on published ones: EKS nodes on a Capacity Block (the node templates of EKS's user guide),
HyperPod and AWS Batch (aws-samples/awsome-distributed-training, `7.sagemaker-hyperpod-eks/cfn-templates` and
`3.aws-batch`), ParallelCluster (aws/aws-parallelcluster, `cloudformation/custom_resource/cluster-1-click.yaml`), and
what AWS CDK writes for its EKS library."""

from pathlib import Path

from muster.sources.recognition import open_file
from muster.sources.source import InputFile

_TEMPLATES = Path(__file__).parent / "templates"
SOUND = {each.stem: each for each in sorted(_TEMPLATES.iterdir()) if each.is_file()}


def parsed(file: Path) -> InputFile:
    """A template, parsed."""
    return open_file(file)


def text_of(file: Path) -> str:
    """The text of a template."""
    return file.read_text(encoding="utf-8")
