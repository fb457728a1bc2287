"""Programs of other teams: for each rule one that keeps it and one that breaks it, in plain `pulumi_aws`.

A file holds the programs of one topic; `pairs` says of each which rule it is about. `world`, `kubernetes`,
`hyperpod_cluster` and `pcluster` hold what the programs need and are not about.
"""
