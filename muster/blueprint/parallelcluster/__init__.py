"""The inputs of AWS ParallelCluster: configuration, template, scripts. Pure."""
