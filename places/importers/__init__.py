"""Importers of places: GeoJSON with OSM tags, CSV and XLSX (`docs/importing.md` is the guide).

A reader turns a file into rows, `run.import_places` surveys them, and writes them only when the file as a whole is sound.
"""
