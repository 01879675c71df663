"""A run of the suite inside of pytest: what starts, what is collected, found and written.

The controller holds the settings, the counterparts and the report; checks run in workers, or in the
controller itself where there are none.
"""
