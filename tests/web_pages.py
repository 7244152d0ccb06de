"""The folder of the page that scores, with sources that are packed once for all tests."""

from functools import cache

from exactmatch.report.web import folder

for _name in ("sources", "drawing_sources"):
    setattr(folder, _name, cache(getattr(folder, _name)))

write_page = folder.write_page
