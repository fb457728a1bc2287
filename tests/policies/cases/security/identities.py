"""Roles of nodes, and who administers a cluster."""


# node-role-narrow


# cluster-admin-named
