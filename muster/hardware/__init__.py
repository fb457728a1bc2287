"""What AWS's machines and services are, as tables and arithmetic: instance types, interfaces, AMIs, quotas, zones, FSx
for Lustre."""
