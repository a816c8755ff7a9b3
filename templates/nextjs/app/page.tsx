import { Counter } from "./counter";

export default function Page() {
  return (
    <main>
      <h1>Hello Next.js</h1>
      <p>
        Edit <code>app/page.tsx</code> and save. The page follows, and the count
        stays.
      </p>
      <Counter />
    </main>
  );
}
