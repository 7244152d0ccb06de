"""Parse files with penman and do nothing else: no scorer built on that parser can be faster.

    python run_penman.py FILE...

Runs in an environment that has penman; compare.py starts it.
"""

import logging
import sys

import penman

logging.disable()  # it warns of unusual graphs
for file in sys.argv[1:]:
    penman.load(file)
