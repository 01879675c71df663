"""The catalogue of requirements and its map."""
