"""The journal tested: deadlines, masking, recording and rules."""
