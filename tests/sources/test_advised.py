"""Files that people use whose findings are advice, though the rules are mandatory: a document says that they work."""

import pytest

from muster.finding import SCHEMA, Level
from tests.sources.judged import a_file, report

BATCH = """
Region: us-west-2
Image: {Os: alinux2023}
HeadNode:
  InstanceType: t3.nano
  Networking: {SubnetId: subnet-0123456789abcdef0}
Scheduling:
  Scheduler: awsbatch
  AwsBatchQueues: [{Name: a}]
"""
LUSTRE = """
AWSTemplateFormatVersion: 2010-09-09
Resources:
  Lustre:
    Type: AWS::EC2::SecurityGroup
    Properties:
      GroupDescription: Lustre
      VpcId: vpc-0123456789abcdef0
      SecurityGroupIngress: [{CidrIp: 0.0.0.0/0, FromPort: 988, ToPort: 988, IpProtocol: tcp}]
  Data:
    Type: AWS::FSx::FileSystem
    Properties:
      FileSystemType: LUSTRE
      StorageCapacity: 1200
      LustreConfiguration: {DeploymentType: SCRATCH_2}
      SecurityGroupIds: [!Ref Lustre]
      SubnetIds: [subnet-0123456789abcdef0]
"""
RAY = """
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: a}
spec:
  autoscalerOptions: {args: [a]}
  headGroupSpec: {rayStartParams: {}, template: {spec: {containers: [{name: a, image: a}]}}}
"""
FILES = {
    "ParallelCluster refuses no head node for its memory beside AWS Batch": (
        a_file(BATCH, "parallelcluster.yaml"),
        {"parallelcluster-head-memory"},
    ),
    "FSx refuses no group for ports 1018 to 1023, and clients of Lustre 2.10 may exist": (
        a_file(LUSTRE, "lustre.template.yaml"),
        {"lustre-ports-open", "lustre-version-for-clients"},
    ),
    "a newer key of KubeRay has the name of one of containers": (a_file(RAY, "ray.yaml"), {SCHEMA}),
}


@pytest.mark.parametrize("name", FILES)
def test_what_works_is_not_refused(name: str) -> None:
    file, rules = FILES[name]
    assert {(each.rule, each.level) for each in report(file).findings} == {(each, Level.ADVISORY) for each in rules}
