"""Whole conversations (§4.2, §4.3, §5.4 to §5.6): steps of Users, held against a model of the text.

`model` and `permissions` are the specification in code and know nothing of HTTP. `running` goes
through the steps of an example, with a subject: the Provider of a run (`live`), or one that does
what the model says first (`ideal`).
"""
