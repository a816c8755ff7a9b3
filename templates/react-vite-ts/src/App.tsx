import { useState } from "react";

export function App() {
  const [count, setCount] = useState(0);

  return (
    <main>
      <h1>Hello React</h1>
      <p>
        Edit <code>src/App.tsx</code> and save. The page follows, and the count
        stays.
      </p>
      <button type="button" onClick={() => setCount(count + 1)}>
        Count is {count}
      </button>
    </main>
  );
}
