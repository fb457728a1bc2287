"""CloudFormation templates."""
