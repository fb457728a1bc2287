"""Daemons and operators, and the nodes that must hold them."""


# daemons-fit-nodes, operators-fit-nodes
