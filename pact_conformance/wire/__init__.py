"""What crosses the wire: media types, messages, cards, errors, and the schemas that judge them.

This room is data of the protocol. It knows neither who sends nor who judges, so that both the suite
and its counterparts can stand on it.
"""
