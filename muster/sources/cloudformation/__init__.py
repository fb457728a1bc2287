"""CloudFormation templates, also those that AWS CDK writes, read as registered resources."""
