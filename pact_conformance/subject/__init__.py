"""The subject as the suite sees it: a Provider reached through one Brand, its card and its waits."""
