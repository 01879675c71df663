"""Exchanges with the subject: sent within a deadline, recorded with secrets masked, then judged."""
