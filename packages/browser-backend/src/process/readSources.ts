import { PROJECT } from './processFiles.ts'

interface Sources {
  texts: Readonly<Record<string, string>>
  bytes: Readonly<Record<string, string>>
}

/** The content of node_modules, from the host of the preview. */
export async function readSources(address: string): Promise<(readonly [path: string, content: string | Uint8Array])[]> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The packages could not be fetched (${response.status}). Run it again.`)
  const { texts, bytes } = (await response.json()) as Sources
  const decoded = ([path, text]: [string, string]) =>
    [`${PROJECT}/node_modules/${path}`, Uint8Array.from(atob(text), (character) => character.charCodeAt(0))] as const
  return [
    ...Object.entries(texts).map(([path, text]) => [`${PROJECT}/node_modules/${path}`, text] as const),
    ...Object.entries(bytes).map(decoded),
  ]
}
