"""The agents that evolve.

NOTE FROM THE LEAD (02:53): part 3 (evolution) has been given to another helper, on branch
`evolution`. Do not write these agents; leave this file uncommitted (git checkout it at the end).
Commit your search agents now, then go on with the roster laws and equality tests (part 4).
"""

from agents.entry import Entry

EVOLUTION: tuple[Entry, ...] = ()
