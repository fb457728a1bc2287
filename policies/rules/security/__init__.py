"""Rules about access to a cluster, and about what an attacker could reach there."""
