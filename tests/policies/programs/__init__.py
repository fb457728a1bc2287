"""Programs of other teams, in plain `pulumi_aws`, written as people write them: one for each shape of resources.

What no rule minds of one, another finds once it is `broken`: what Pulumi's SDKs register is spelt as views read it.
"""
