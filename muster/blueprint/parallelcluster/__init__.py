"""AWS ParallelCluster in its own words: configuration, template, scripts. Pure."""
