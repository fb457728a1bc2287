"""Texts of findings in Terraform's words."""

import pytest

from muster.sources.terraform.words import in_terraform


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("set vpcConfig.subnetIds to two zones", "set vpc_config.subnet_ids to two zones"),
        ("remove version and releaseVersion", "remove version and release_version"),
        ("add an aws.autoscaling.Schedule with minSize 0", "add an aws_autoscaling_schedule with min_size 0"),
        ("aws_subnet.a (aws:ec2) is in us-west-2a", "aws_subnet.a is in us-west-2a"),
        ("known only after `pulumi up`", "known only after `terraform apply`"),
        ("the value `driver.enabled` of gpu-operator", "the value `driver.enabled` of gpu-operator"),
        ("controllerManager.manager.notAnArgument", "controllerManager.manager.notAnArgument"),
    ],
)
def test_names_are_those_of_terraform(text: str, said: str) -> None:
    assert in_terraform(text) == said
