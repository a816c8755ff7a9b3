import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A component like most, which is rendered alone when it is edited. */
export const COMPONENT = 'src/Title.tsx'
/** The module that imports and renders all others. */
export const ROOT = 'src/App.tsx'

/** What both tell, and where it stands in their text: at the end of the first line, two characters before it. */
export const FIRST_LABEL = '1'

export interface ProjectOptions {
  /** Modules that are run, without the dependencies. */
  modules: number
  /** Beside React, by name; each is imported. */
  dependencies?: Readonly<Record<string, string>>
}

/** A React project that tells the window around it when React has committed, and which label it shows then. Texts by path. */
export function reactProject({ modules, dependencies = {} }: ProjectOptions): Record<string, string> {
  const parts = partsOf(modules)
  const names = Object.keys(dependencies)
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'measured',
      private: true,
      type: 'module',
      scripts: { dev: 'vite' },
      dependencies: { react: '19.3.1', 'react-dom': '19.3.1', ...dependencies },
      devDependencies: { '@vitejs/plugin-react': '6.3.0', vite: '8.3.8' },
    }),
    'vite.config.ts': `import react from '@vitejs/plugin-react'\nexport default { plugins: [react()] }\n`,
    'index.html': `<!doctype html>
<html lang="en">
  <head>
    <title>Measured</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.tsx"></script>
  </body>
</html>
`,
    'src/main.tsx': `import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
${names.map((name) => `import "${name}";\n`).join('')}
createRoot(document.getElementById("root")!).render(<App />);
`,
    'src/tell.ts': `/** Tells the window around this one what is on the page now. */
export function tell(label: string): void {
  const at = performance.timeOrigin + performance.now();
  window.parent.postMessage({ rendered: label, at }, "*");
}
`,
    [COMPONENT]: component(FIRST_LABEL),
    [ROOT]: root(FIRST_LABEL, modules),
  }
  for (const name of parts) {
    files[`src/parts/${name}.tsx`] = `interface Props {
  of: string;
}

export function ${name}({ of }: Props) {
  const words = of.split(" ").map((word) => word.toUpperCase());
  return <li className="part">{words.join(" ") || "${name}"}</li>;
}
`
  }
  return files
}

/** All but the entry, the two that are edited and what tells. */
const partsOf = (modules: number) => Array.from({ length: modules - 4 }, (_, index) => `Part${index + 1}`)

/** The text of `COMPONENT` with this label. */
export function component(label: string): string {
  return `const title = "${label}";
import { useLayoutEffect } from "react";
import { tell } from "./tell.ts";

export function Title() {
  useLayoutEffect(() => tell(title));
  return <h1>Title {title}</h1>;
}
`
}

/** The text of `ROOT` with this label, in a project of this size. */
export function root(label: string, modules: number): string {
  const parts = partsOf(modules)
  return `const label = "${label}";
import { useLayoutEffect } from "react";
${parts.map((name) => `import { ${name} } from "./parts/${name}.tsx";\n`).join('')}import { tell } from "./tell.ts";
import { Title } from "./Title.tsx";

export function App() {
  useLayoutEffect(() => tell(label));
  return (
    <main>
      <Title />
      <p>Label {label}</p>
      <ul>
${parts.map((name) => `        <${name} of="${name}" />\n`).join('')}      </ul>
    </main>
  );
}
`
}

export async function writeProject(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}
