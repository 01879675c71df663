"""Delegated authority (§5): scopes, device codes, consent, delegation tokens, step-up, receipts.

`delegation.py` puts the parts together. Each rule of §5 is a row of a table, an entry of a map or
a function of its own, and may be exchanged by whoever assembles a Provider.
"""
