import { createCounter } from "./counter.js";
import "./styles.css";

const app = document.querySelector("#app");
app.innerHTML = `
  <main>
    <h1>Hello JavaScript</h1>
    <p>Edit <code>src/main.js</code> and save. The page follows, and the count stays.</p>
    <button type="button"></button>
  </main>
`;

const counter = createCounter(
  app.querySelector("button"),
  import.meta.hot?.data.count,
);

import.meta.hot?.accept();
import.meta.hot?.dispose((data) => {
  data.count = counter.count;
});
