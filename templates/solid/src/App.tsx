import { createSignal } from "solid-js";

export function App() {
  const [count, setCount] = createSignal(0);

  return (
    <main>
      <h1>Hello Solid</h1>
      <p>
        Edit <code>src/App.tsx</code> and save. The page follows.
      </p>
      <button type="button" onClick={() => setCount(count() + 1)}>
        Count is {count()}
      </button>
    </main>
  );
}
