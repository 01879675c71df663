"""§3.3 What the personal-agent JWT proves: nothing that can be seen from outside.

How a Brand's agent verifies a User in conversation is its own affair, and that account credentials
never pass through the personal agent binds the other side.
"""
