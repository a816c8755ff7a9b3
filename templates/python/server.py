"""A web server with nothing but the standard library."""

import json
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = 8000

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Python app</title>
  </head>
  <body>
    <h1>Hello Python</h1>
    <p>Edit <code>server.py</code>, save and restart the task.</p>
  </body>
</html>
"""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/":
            self.answer(200, "text/html; charset=utf-8", PAGE)
        elif self.path == "/api/time":
            now = datetime.now(timezone.utc).isoformat()
            self.answer(200, "application/json", json.dumps({"time": now}))
        else:
            self.answer(404, "text/plain; charset=utf-8", "There is nothing here")

    def answer(self, status, content_type, text):
        body = text.encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    print(f"Listening on port {PORT}")
    ThreadingHTTPServer(("0.0.0.0", PORT), Handler).serve_forever()
