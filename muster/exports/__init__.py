"""What a stack exports by the contract (`muster.contract`), made of what it registers.

Like `deploy`, which alone calls it, it knows both `infra` and `addons`.
"""
