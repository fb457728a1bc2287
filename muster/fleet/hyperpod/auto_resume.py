"""HyperPod's job auto-resume: with which releases of the Kubeflow training operator it is stated to work."""

STATED = ((1, 7, 0), (1, 8, 0), (1, 8, 1))
"""aws/sagemaker-hyperpod-cli `helm_chart/readme.md`, Notes; the newest comes last."""


def release(numbers: tuple[int, ...]) -> str:
    """A release as the add-on's `version` takes it: ``v1.8.1``."""
    return "v" + ".".join(map(str, numbers))


NEWEST = release(STATED[-1])
"""What to take where nothing speaks for an older one."""
