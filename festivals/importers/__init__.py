"""Importers of festivals and events: iCalendar, schedule.xml, JSON-LD and CSV (`docs/importing.md` is the guide).

A reader turns a file into rows, `run.import_festivals` finds those that say the same twice, and writes them if the file as a whole is sound.
"""
