"""The subject as the suite sees it: a Provider reached through the card of one Brand."""
