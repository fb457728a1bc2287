"""What AWS ParallelCluster takes: configuration, template, scripts. Pure."""
