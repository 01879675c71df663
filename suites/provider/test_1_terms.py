"""§1 Terms: definitions; what they bind is stated, and tested, in the sections after it."""
