"""pytest-xdist is an extra: everything else works without it."""

from pathlib import Path

from tests.plugin.suite import run

ABSENT = """
import sys


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"xdist", "execnet", "filelock"}:
            raise ModuleNotFoundError(f"{name} is not here", name=name)


sys.meta_path.insert(0, Absent())
"""


def test_a_run_alone_needs_neither_xdist_nor_a_lock(tmp_path: Path) -> None:
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "absent.py").write_text(ABSENT)

    ended = run(
        "-p",
        "absent",
        "-p",
        "no:xdist",
        "-p",
        "no:xdist.looponfail",
        "-k",
        "2.1 or 4.2-reply",
        folder=tmp_path / "report",
        environment={"PYTHONPATH": str(plugins)},
    )

    assert ended.code == 0, ended.output
    assert ended.report["turn_ledger"] == [{"name": "opening", "turns": 1}]
