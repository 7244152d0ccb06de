"""The page that scores in a browser: its files, its Python, and the folder that has them all."""
