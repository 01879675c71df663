"""The table of docs/settings.md; `python -m tests.architecture.settings_document` writes it."""

import re

from pact_conformance.options import TABLE, Option

from .tree import CHECKOUT

DOCUMENT = CHECKOUT / "docs" / "settings.md"
BEGIN, END = "<!-- options -->\n", "<!-- end of options -->"


def table() -> str:
    """What stands between the two remarks."""
    head = "| key | variable | option | meaning |\n|---|---|---|---|\n"
    return head + "".join(f"{_row(option)}\n" for option in TABLE)


def _row(option: Option) -> str:
    variable = f"`{option.environment}`" if option.environment else ""
    flag = "" if option.secret else f"`{option.flag}`"
    words = option.words.replace("|", "\\|")
    if option.choices:
        words += f"; one of {', '.join(option.choices)}"
    return f"| `{option.key}` | {variable} | {flag} | {words} |"


def main() -> None:
    """Replace the table."""
    text = DOCUMENT.read_text(encoding="utf-8")
    pattern = re.compile(f"(?<={BEGIN}).*?(?={END})", re.DOTALL)
    DOCUMENT.write_text(pattern.sub(lambda _: table(), text), encoding="utf-8")


if __name__ == "__main__":
    main()
