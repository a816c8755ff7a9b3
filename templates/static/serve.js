// Serves this folder on port 8080 and reloads open pages when a file changes. It needs nothing but Node.
const { watch } = require("node:fs");
const { readFile, realpath } = require("node:fs/promises");
const { createServer } = require("node:http");
const path = require("node:path");

const port = 8080;
const root = __dirname;
const types = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};
const reload = `<script>new EventSource('/__reload').onmessage = () => location.reload()</script>`;
const listeners = new Set();

/** The file behind a request path, or undefined when it is not in this folder. */
async function resolveFile(url) {
  const { pathname } = new URL(url, "http://localhost");
  const wanted = path.join(
    root,
    decodeURIComponent(
      pathname.endsWith("/") ? `${pathname}index.html` : pathname,
    ),
  );
  const file = await realpath(wanted);
  return file.startsWith(`${root}${path.sep}`) ? file : undefined;
}

async function answer(request, response) {
  if (request.url === "/__reload") {
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
    });
    response.write(": hello\n\n");
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
    return;
  }
  const file = await resolveFile(request.url);
  if (!file) throw new Error("Outside of the folder");
  const content = await readFile(file);
  const type = types[path.extname(file)] ?? "application/octet-stream";
  response.writeHead(200, {
    "content-type": type,
    "cache-control": "no-store",
  });
  response.end(
    type.startsWith("text/html")
      ? Buffer.concat([content, Buffer.from(reload)])
      : content,
  );
}

createServer((request, response) => {
  answer(request, response).catch(() => {
    response
      .writeHead(404, { "content-type": "text/plain; charset=utf-8" })
      .end("There is nothing here");
  });
}).listen(port, () => console.log(`Listening on port ${port}`));

let timer;
watch(root, { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const listener of listeners) listener.write("data: reload\n\n");
  }, 50);
});
