"""AWS's own word on a ParallelCluster configuration: its package's schema, and its validators against an account that
moto plays, filled with what the description and the facts say.

The package (aws-parallelcluster, the version that Muster pins) has an environment of its own and runs as a process of
its own (`muster.authority.worker`): it states packaging 25 where Pulumi states 26, so the two cannot be installed
together. Nothing here needs a network or credentials, and nothing is left behind: the process has a home of its own.
"""
