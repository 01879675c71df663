"""The personal agent's side of delegated authority (§5): the device flow, grants, receipts."""
