def tally(exchanges):
    return len(exchanges), sum(1 for e in exchanges if e.turn and e.answer is not None and e.answer.status==200)
def rule_outcomes(*a, **k): return []
