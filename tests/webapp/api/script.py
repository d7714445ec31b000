"""A person's script with a token, as the tests of the API tell it."""

import re

from tests.webapp.visitor import Visitor


class Script:
    """Calls the API of an app with the token of a browser."""

    def __init__(self, app, person=None):
        self.app = app
        self.person = person or Visitor(app)
        made = self.person.post("/matches/tokens", {"name": "a test"})
        assert made.status_code == 201, made.text
        self.token = re.search(r"zp_[\w-]+", made.text)[0]
        self.client = app.test_client(use_cookies=False)

    def get(self, path, **fields):
        return self.call("GET", path, query_string=fields)

    def post(self, path, body=None):
        return self.call("POST", path, json={} if body is None else body)

    def call(self, method, path, **sent):
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.client.open(f"/api/1{path}", method=method, headers=headers, **sent)
