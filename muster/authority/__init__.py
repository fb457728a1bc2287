"""Validates a ParallelCluster configuration with AWS's own package: with its schema, and with its validators against an
account that moto simulates. Its content comes from the description and the facts.

The package (aws-parallelcluster, the version that Muster pins) runs in a separate process and virtual environment
(`muster.authority.worker`), because it pins packaging 25 where Pulumi pins 26. It needs no network and no credentials,
and leaves no files behind: the process has a temporary home directory.
"""
