"""CloudFormation templates: their values, with parameters substituted and functions evaluated."""
