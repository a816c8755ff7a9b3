import { useState } from "preact/hooks";

export function App() {
  const [count, setCount] = useState(0);

  return (
    <main>
      <h1>Hello Preact</h1>
      <p>
        Edit <code>src/App.tsx</code> and save. The page follows.
      </p>
      <button type="button" onClick={() => setCount(count + 1)}>
        Count is {count}
      </button>
    </main>
  );
}
