const asset = (endings: readonly string[]): string =>
  endings.map((ending) => `declare module '*.${ending}' { const address: string; export default address }`).join('\n')

/** What the compiler of the preview understands although no package declares it. */
const VITE = `
interface ImportMetaEnv { readonly MODE: string; readonly DEV: boolean; readonly PROD: boolean; readonly SSR: boolean; readonly BASE_URL: string; readonly [name: string]: any }
interface ImportMeta {
  readonly url: string
  readonly env: ImportMetaEnv
  readonly hot?: { readonly data: any; accept(...given: any[]): void; dispose(then: (data: any) => void): void; invalidate(): void }
  glob<T = any>(pattern: string | string[], options: { eager: true; import?: string; query?: string }): Record<string, T>
  glob<T = any>(pattern: string | string[], options?: { eager?: false; import?: string; query?: string }): Record<string, () => Promise<T>>
}
declare module '*.module.css' { const classes: Readonly<Record<string, string>>; export default classes }
declare module '*.module.scss' { const classes: Readonly<Record<string, string>>; export default classes }
declare module '*.module.sass' { const classes: Readonly<Record<string, string>>; export default classes }
declare module '*.css' { const css: string; export default css }
declare module '*.scss' { const css: string; export default css }
declare module '*.sass' { const css: string; export default css }
declare module '*?raw' { const text: string; export default text }
declare module '*?url' { const address: string; export default address }
declare module '*?inline' { const text: string; export default text }
${asset(['svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'mp3', 'mp4', 'webm', 'wav', 'woff', 'woff2', 'ttf', 'wasm', 'pdf'])}
`

/** Declarations that stand beside a project, each unless the project has its own, which is known by what it would say. */
const ambient: readonly { path: string; unless: RegExp; text: string }[] = [
  { path: '/vite.d.ts', unless: /vite\/client/, text: VITE },
  {
    path: '/vue.d.ts',
    unless: /['"]\*\.vue['"]/,
    text: `declare module '*.vue' { const component: any; export default component }\n`,
  },
  {
    path: '/svelte.d.ts',
    unless: /['"]\*\.svelte['"]/,
    text: `declare module '*.svelte' { const component: any; export default component }\n`,
  },
  {
    path: '/mdx.d.ts',
    unless: /['"]\*\.mdx['"]/,
    text: `declare module '*.mdx' { const component: any; export default component }\n`,
  },
]

/** By a path in a package that nobody else has. `said`: what declarations and settings of the project say. */
export function ambientTypes(said: string): Record<string, string> {
  return Object.fromEntries(
    ambient.filter(({ unless }) => !unless.test(said)).map(({ path, text }) => [`@boxyard/ambient${path}`, text]),
  )
}
