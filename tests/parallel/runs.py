"""What two runs of the same suite have to agree about, however they were spread and ordered."""

import copy
from typing import Any

from tests.plugin.suite import Run

Results = dict[tuple[str, str, str], str]


def settled(report: dict[str, Any]) -> dict[str, Any]:
    """The report without times, ids, addresses, and what each process asks for itself."""
    left = copy.deepcopy(report)
    for name in ("started", "finished", "requests", "subject", "latency"):
        del left[name]
    left["turn_ledger"] = sorted((it["name"], it["turns"]) for it in left["turn_ledger"])
    for requirement in left["requirements"]:
        for check in requirement["checks"]:
            for name in ("exchanges", "seconds", "counts"):
                del check[name]
    return left


def results(ended: Run) -> Results:
    """The verdict of every case of every check."""
    return {
        (row["id"], check["name"], check["case"]): check["verdict"]
        for row in ended.report["requirements"]
        for check in row["checks"]
    }


def turns_by_worker(ended: Run) -> dict[str, int]:
    """How many messages that are meant as turns each process sent."""
    counted: dict[str, int] = {}
    for exchange in ended.journal:
        if exchange["turn"]:
            worker = exchange["id"].partition("-")[0]
            counted[worker] = counted.get(worker, 0) + 1
    return counted


def workers(ended: Run) -> set[str]:
    """The processes that sent anything."""
    return {exchange["id"].partition("-")[0] for exchange in ended.journal}
