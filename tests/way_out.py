"""The worked examples of the guide about a project's own program: the guide has the only copy of them."""

import re

from tests.stack_files import ROOT

EXTRA_POLICY, OWN_ADDON, LAUNCH_TEMPLATE = re.findall(
    r"^```python\n(.*?)```",
    (ROOT / "docs/how-to/way-out.md").read_text(encoding="utf-8").partition("## Write rules")[0],
    re.DOTALL | re.MULTILINE,
)

DATASETS = ("create", "aws:iam/rolePolicy:RolePolicy", "workers-datasets", ())
CHANGES = {
    EXTRA_POLICY: {DATASETS},
    OWN_ADDON: {
        ("create", "aws:eks/podIdentityAssociation:PodIdentityAssociation", "dataset-sync", ()),
        ("create", "aws:iam/role:Role", "dataset-sync", ()),
        ("create", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", "dataset-sync", ()),
        ("create", "kubernetes:helm.sh/v3:Release", "dataset-sync", ()),
    },
    LAUNCH_TEMPLATE: {("update", "aws:ec2/launchTemplate:LaunchTemplate", "workers", ("monitoring",))},
}
"""Program -> what it adds to p5-odcr, or changes in it: the operation, the type, the name, the changed inputs."""
