"""AWS ParallelCluster's own package judges what Muster writes for it; in an environment of its own."""
