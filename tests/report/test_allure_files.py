import json
from pathlib import Path

from pact_conformance.report import allure_files
from tests.report import making


def test_each_check_has_a_result_with_what_it_saw(tmp_path: Path) -> None:
    journal = making.journal(tmp_path, [making.exchange("main-1"), making.exchange("main-2")])
    document = making.as_read(making.built())

    count = allure_files.write(document, journal, tmp_path / "allure")

    results = [json.loads(it.read_text()) for it in (tmp_path / "allure").glob("*-result.json")]
    assert len(results) == count == len(making.OUTCOMES)
    failed = next(it for it in results if it["fullName"].startswith("3.2-alg: "))
    assert failed["status"] == "failed"
    assert failed["parameters"] == [{"name": "case", "value": "alg-none"}]
    assert {"name": "feature", "value": "3.2 Personal-agent JWT"} in failed["labels"]
    assert [it["name"][:6] for it in failed["attachments"]] == ["main-1", "main-2"]
    for it in failed["attachments"]:
        assert "curl --include" in (tmp_path / "allure" / it["source"]).read_text()


def test_writing_again_replaces(tmp_path: Path) -> None:
    document = making.as_read(making.built())
    folder = tmp_path / "allure"

    allure_files.write(document, tmp_path / "none", folder)
    before = {it.name: it.read_bytes() for it in folder.iterdir()}
    allure_files.write(document, tmp_path / "none", folder)

    assert {it.name: it.read_bytes() for it in folder.iterdir()} == before
