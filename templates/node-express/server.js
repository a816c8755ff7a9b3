import express from "express";

const app = express();
const port = 3000;

app.get("/", (request, response) => {
  response.send(
    "<h1>Hello Express</h1><p>Edit <code>server.js</code> and save. The server restarts by itself.</p>",
  );
});

app.get("/api/time", (request, response) => {
  response.json({ time: new Date().toISOString() });
});

app.listen(port, () => {
  console.log(`Listening on port ${port}`);
});
