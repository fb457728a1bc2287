"""What `pulumi up` runs: the description is judged, then deployed."""

from deploy import deploy
from gate import blueprint_of_this_stack

deploy(blueprint_of_this_stack())
