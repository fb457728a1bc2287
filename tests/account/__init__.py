"""Read-only queries to an AWS account, answered by moto or by recorded answers."""
