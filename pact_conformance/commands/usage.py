"""How a command says that the tester can correct something."""

import click


class BadUsage(click.ClickException):
    """Something the tester can correct: one line, exit code 4."""

    exit_code = 4
