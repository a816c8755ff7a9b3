import { LanguageError, LanguageServer } from './language/languageServer.ts'
import { typesRequester } from './language/typesRequester.ts'
import type { LoadTypes } from './language/typesRequester.ts'

/** To the worker that knows the language. */
export type ToLanguage =
  | { type: 'begin'; api: string; files: ReadonlyMap<string, string> }
  /** The sandbox is another one from now on. */
  | { type: 'moved'; api: string }
  | { type: 'files'; changes: ReadonlyMap<string, string | null> }
  | { type: 'opened'; paths: readonly string[] }
  | { type: 'request'; id: number; method: string; params: unknown }

/** From the worker that knows the language. */
export type FromLanguage =
  | { type: 'answer'; id: number; result: unknown }
  | { type: 'refusal'; id: number; code: number; message: string }
  | { type: 'notification'; method: string; params: unknown }
  | { type: 'said'; level: 'info' | 'warn'; text: string }

const INTERNAL = -32603
const post = (message: FromLanguage) => self.postMessage(message)
let loadTypes: LoadTypes
let server: Promise<LanguageServer> | undefined

async function begin(files: ReadonlyMap<string, string>): Promise<LanguageServer> {
  const { libraries } = await import('./language/libraries.ts')
  const made = new LanguageServer({
    libraries,
    loadTypes: (dependencies) => loadTypes(dependencies),
    onNotification: (method, params) => post({ type: 'notification', method, params }),
    onSaid: (level, text) => post({ type: 'said', level, text }),
  })
  made.change(files)
  return made
}

self.onmessage = ({ data }: MessageEvent<ToLanguage>) => {
  if (data.type === 'begin' || data.type === 'moved') loadTypes = typesRequester(data.api)
  if (data.type === 'begin') server = begin(data.files)
  server?.then(
    (to) => receive(data, to),
    (error: unknown) => data.type === 'request' && refuse(data.id, error),
  )
}

function receive(message: ToLanguage, to: LanguageServer): void {
  switch (message.type) {
    case 'files':
      return to.change(message.changes)
    case 'opened':
      return to.open(message.paths)
    case 'request': {
      const { id, method, params } = message
      to.request(method, params).then(
        (result) => post({ type: 'answer', id, result }),
        (error: unknown) => refuse(id, error),
      )
    }
  }
}

function refuse(id: number, error: unknown): void {
  const code = error instanceof LanguageError ? error.code : INTERNAL
  post({ type: 'refusal', id, code, message: error instanceof Error ? error.message : String(error) })
}
