"""Programs of other teams: for each rule one that keeps it and one that breaks it, in plain `pulumi_aws`.

A module is named like its rule. `passing()` and `failing()` are whole programs; `AT` names the resources at fault.
`AS_OF` is another day than the usual one. Where only AWS's word can break a rule, `FACTS` or `FAILING_FACTS` bring it.
"""
