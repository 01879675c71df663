"""The Brand's own login (§5.3), at the Brand's own site. In truth it is no part of a Provider."""
