"""The rules model: no model at all, behind the same protocol. It reads a question by the town's own words and composes from rows."""

from agent.llm.rules.model import RulesModel

__all__ = ["RulesModel"]
