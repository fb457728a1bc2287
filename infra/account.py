"""The account that a program deploys to."""

import pulumi
import pulumi_aws as aws


def deployed_account(below: pulumi.Resource) -> str:
    """The account's id. AWS is asked at once, so that a preview knows it too.

    Args:
        below: the component whose provider of AWS is asked.

    Raises:
        pulumi.RunError: AWS does not answer.
    """
    try:
        return aws.get_caller_identity(opts=pulumi.InvokeOptions(parent=below)).account_id
    except Exception as fault:  # noqa: BLE001 - the SDK makes a plain Exception of whatever the engine answers
        raise pulumi.RunError(
            f"the AWS account to deploy to cannot be read: {fault}\n"
            "  -> give credentials; `aws sts get-caller-identity` shows whose they are"
        ) from None
