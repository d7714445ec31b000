"""A build carries the browser files or fails: a page without them would wait for ever.

Git ignores them, so a source tree may well not have them. An editable install does without:
set-up makes one before it fetches them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BrowserFiles(BuildHookInterface[Any]):
    """Looks for what `webapp/serving/browser_files.py` fetches."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)  # what is being built is not installed
        from webapp.serving.browser_files import FILES

        missing = [target for _, target in FILES if not Path(self.root, target).is_file()]
        if missing:
            self.app.abort(
                f"not built without {', '.join(missing)}: "
                "`python -m webapp.serving.browser_files` fetches what is missing"
            )
