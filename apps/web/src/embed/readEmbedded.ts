import * as z from 'zod/mini'

const moduleSchema = z.object({
  shortid: z.string(),
  title: z.string(),
  directory_shortid: z.nullable(z.string()),
  code: z.nullable(z.string()),
  is_binary: z.boolean(),
})
const directorySchema = z.object({
  shortid: z.string(),
  title: z.string(),
  directory_shortid: z.nullable(z.string()),
})
const answerSchema = z.object({
  data: z.object({
    id: z.string(),
    title: z.nullable(z.string()),
    v2: z.boolean(),
    entry: z.nullable(z.string()),
    author: z.nullable(z.object({ username: z.string() })),
    modules: z.array(moduleSchema),
    directories: z.array(directorySchema),
  }),
})

export interface Embedded {
  id: string
  title: string
  isDevbox: boolean
  author: string | null
  /** The file to show first, when the sandbox names one. */
  entry: string | null
  /** By path in the project, with a slash in front. Those of a devbox are read when they are looked at. */
  files: Map<string, string | Uint8Array>
  /** Of a devbox: the paths of its files; null while its machine does not run. */
  boxPaths: readonly string[] | null
}

/** There is nothing that everybody may see. */
export class NotPublicError extends Error {
  constructor() {
    super('This sandbox is not public, or it is not there any more')
    this.name = 'NotPublicError'
  }
}

type Fetch = (address: string, init: RequestInit) => Promise<Response>

/**
 * What a page elsewhere may show: as somebody without an account, whoever looks. So a page that frames this one can show nothing that it
 * could not fetch by itself.
 */
export async function readEmbedded(id: string, ask: Fetch = (...given) => fetch(...given)): Promise<Embedded> {
  const anonymous = { credentials: 'omit' } as const
  const answer = await ask(`/api/v1/sandboxes/${encodeURIComponent(id)}`, {
    ...anonymous,
    headers: { accept: 'application/json' },
  })
  if ([401, 403, 404].includes(answer.status)) throw new NotPublicError()
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
  const { data } = answerSchema.parse(await answer.json())
  const folders = new Map(data.directories.map((directory) => [directory.shortid, directory]))
  const files = new Map<string, string | Uint8Array>()
  await Promise.all(
    data.modules.map(async ({ title, directory_shortid: folder, code, is_binary: isBinary }) => {
      const path = `${pathOf(folder, folders)}/${title}`
      if (!isBinary) return void files.set(path, code ?? '')
      // One that is not there is missed by the page that uses it, which says so.
      const content = await ask(code ?? '', anonymous).catch(() => null)
      if (content?.ok) files.set(path, new Uint8Array(await content.arrayBuffer()))
    }),
  )
  return {
    id: data.id,
    title: data.title ?? data.id,
    isDevbox: data.v2,
    author: data.author?.username ?? null,
    entry: data.entry,
    files,
    boxPaths: data.v2 ? await readBoxPaths(data.id, ask) : null,
  }
}

const boxFilesSchema = z.object({ data: z.object({ paths: z.nullable(z.array(z.string())) }) })
const boxTextSchema = z.object({ data: z.object({ text: z.nullable(z.string()) }) })

async function readBoxPaths(id: string, ask: Fetch): Promise<string[] | null> {
  const answer = await ask(`/api/vm/${encodeURIComponent(id)}/files`, { credentials: 'omit' })
  // The preview can be shown all the same.
  if (!answer.ok) return null
  const { paths } = boxFilesSchema.parse(await answer.json()).data
  return paths && paths.map((path) => `/${path}`)
}

/** A text of a devbox; null when it is none. `path` has a slash in front. */
export async function readBoxText(
  id: string,
  path: string,
  ask: Fetch = (...given) => fetch(...given),
): Promise<string | null> {
  const query = new URLSearchParams({ path: path.slice(1) })
  const answer = await ask(`/api/vm/${encodeURIComponent(id)}/files/text?${query}`, { credentials: 'omit' })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
  return boxTextSchema.parse(await answer.json()).data.text
}

/** Starts the machine of a devbox, so that its files can be read. */
export async function startBox(id: string, ask: Fetch = (...given) => fetch(...given)): Promise<void> {
  const answer = await ask(`/api/vm/${encodeURIComponent(id)}/start`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', 'x-boxyard-client': 'web' },
    body: '{}',
  })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
}

/** Path of a folder; the project itself is empty. */
function pathOf(
  shortid: string | null,
  folders: ReadonlyMap<string, { title: string; directory_shortid: string | null }>,
): string {
  const names: string[] = []
  // A damaged tree may have circles.
  for (let at = shortid; at !== null && names.length < 1000;) {
    const folder = folders.get(at)
    if (!folder) break
    names.unshift(folder.title)
    at = folder.directory_shortid
  }
  return names.map((name) => `/${name}`).join('')
}

/** What people do not read, by the names of its files. */
const noText = /\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|eot|mp[34]|webm|wav|ogg|pdf|zip|gz|wasm|sqlite3?|db)$/i

/** The texts of a project that people read, in the order of its tree. */
export function textPaths({ files, boxPaths }: Pick<Embedded, 'files' | 'boxPaths'>): string[] {
  const texts = boxPaths
    ? boxPaths.filter((path) => !noText.test(path))
    : [...files].filter(([, content]) => typeof content === 'string').map(([path]) => path)
  return texts
    .filter((path) => !/^\/\.(?:codesandbox|devcontainer)\//.test(path))
    .toSorted((a, b) => a.localeCompare(b))
}

/** The file that is opened: what the address names, what the sandbox names, or what looks like the beginning. */
export function firstPath(
  embedded: Pick<Embedded, 'files' | 'entry' | 'boxPaths'>,
  wanted: string | null,
): string | undefined {
  const paths = textPaths(embedded)
  const guesses = [
    wanted,
    embedded.entry,
    'src/App.tsx',
    'src/App.jsx',
    'src/App.vue',
    'src/App.svelte',
    'src/main.tsx',
    'src/main.ts',
    'src/index.js',
    'index.js',
    'index.html',
    'README.md',
  ]
  for (const guess of guesses) if (guess !== null && paths.includes(`/${guess}`)) return `/${guess}`
  return paths[0]
}
