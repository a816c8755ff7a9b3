import { limits } from '../common/agentMessages.ts'
import type { PageProblem, ProblemFrame } from '../common/agentMessages.ts'

/** One line of a stack, as the browser has it: a place in a script of the page. */
export interface ScriptPlace {
  name: string
  address: string
  line: number
  column: number
}

/** Lines of a stack in Chromium (`at name (address:1:2)`) and in Firefox and Safari (`name@address:1:2`). */
const LINE =
  /^\s*(?:at\s+(?:(?<chromium>.*?)\s+\()?|(?<other>.*?)@)(?<address>[a-z-]+:\/\/.+?):(?<line>\d+):(?<column>\d+)\)?$/

export function placesOf(stack: string): ScriptPlace[] {
  return stack
    .split('\n')
    .flatMap((text) => {
      const { chromium, other, address, line, column } = LINE.exec(text)?.groups ?? {}
      if (!address) return []
      return [{ name: (chromium ?? other ?? '').slice(0, 200), address, line: Number(line), column: Number(column) }]
    })
    .slice(0, limits.frames)
}

/** The file of the project that a script is, by the address it was served at; null for a package or for another server. */
export function fileOfScript(address: string, origin: string): string | null {
  const packed = /^webpack(?:-internal)?:\/\/[^?]*?\/\.\/([^?]+)/.exec(address)?.[1]
  const path = packed === undefined ? pathOn(address, origin) : `/${packed}`
  // What a server answers for a folder has no name of its own.
  if (
    path === null ||
    path.endsWith('/') ||
    /(?:^|\/)(?:node_modules|\.\.|@[a-z]+|\.well-known|__boxyard)(?:\/|$)/.test(path)
  )
    return null
  return path.length > limits.path ? null : path
}

/** A file outside of what is served is named by its place on the disk, behind `/@fs/` or, in some source maps, as it is. */
function pathOn(address: string, origin: string): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.origin !== origin) return null
  try {
    return decodeURI(url.pathname).replace(/^(?:\/@fs)?\/project\/[^/]+\//, '/')
  } catch {
    // No text in any encoding: a place that nobody can open.
    return null
  }
}

/** The places of a stack as files of the project. What the script was made from is told by `originalPlace`, where there is a map. */
export async function framesOf(
  places: readonly ScriptPlace[],
  origin: string,
  originalPlace: (place: ScriptPlace) => Promise<Pick<ScriptPlace, 'address' | 'line' | 'column'> | null>,
): Promise<ProblemFrame[]> {
  return Promise.all(
    places.map(async (place) => {
      if (fileOfScript(place.address, origin) === null)
        return { name: place.name, file: null, line: Math.max(1, place.line), column: Math.max(1, place.column) }
      const { address, line, column } = (await originalPlace(place)) ?? place
      const file = fileOfScript(address, origin)
      return { name: place.name, file, line: Math.max(1, line), column: Math.max(1, column) }
    }),
  )
}

/** What a page's own error layer says, as far as it names a file of the workspace: `/project/workspace/src/App.tsx:3:5`. */
export function problemOfLayer(message: string, file: string, frame: string): PageProblem {
  const { path, line, column } =
    /^(?:\/project\/[^/]+)?(?<path>\/[^:?]+)(?:\?[^:]*)?(?::(?<line>\d+))?(?::(?<column>\d+))?/.exec(file.trim())
      ?.groups ?? {}
  const place = path && {
    name: '',
    file: path.slice(0, limits.path),
    line: Number(line ?? 1) || 1,
    column: Number(column ?? 1) || 1,
  }
  return {
    message: message.trim().slice(0, limits.text),
    detail: frame.trim() === '' ? null : frame.slice(0, limits.text),
    frames: place ? [place] : [],
    cause: 'compiling',
    isShown: false,
  }
}

/** What happened in the page. A script that can't be read has a place in what the browser says of it, and none in its stack. */
export async function problemOfEvent(
  { error, message, at }: { error: unknown; message: string; at?: ScriptPlace | undefined },
  origin: string,
  originalPlace: (place: ScriptPlace) => Promise<Pick<ScriptPlace, 'address' | 'line' | 'column'> | null>,
): Promise<PageProblem> {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const said = error instanceof Error ? `${error.name}: ${error.message}` : message
  const inStack = placesOf(stack)
  const isUnknown = inStack.length === 0 && at !== undefined && URL.canParse(at.address)
  const detail = isUnknown ? `${said}\n    at ${new URL(at.address).pathname}:${at.line}:${at.column}` : stack
  return {
    message: said.slice(0, limits.text),
    detail: detail.slice(0, limits.text) || null,
    frames: await framesOf(isUnknown ? [at] : inStack, origin, originalPlace),
    cause: 'running',
    isShown: false,
  }
}
