from collections.abc import Iterator
from pathlib import Path

import pytest

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.ndjson")
    yield journal
    journal.close()


@pytest.fixture
def mask() -> Mask:
    return Mask()


@pytest.fixture
def client(journal: Journal, mask: Mask) -> Iterator[RecordingClient]:
    client = RecordingClient(journal, mask, deadline=5)
    yield client
    client.close()
