import { ProtocolError } from '@boxyard/protocol'
import type { FromLanguage, ToLanguage } from '../languageWorker.ts'

/** What knows the language, wherever it runs. */
export interface LanguagePort {
  request(method: string, params: unknown): Promise<unknown>
  /** Files by path in the project; null for one that is gone. */
  change(changes: ReadonlyMap<string, string | null>): void
  /** The files that people look at. */
  opened(paths: readonly string[]): void
  /** The files are those of another sandbox from now on. */
  moved(api: string): void
}

export interface LanguagePortOptions {
  /** Address of the sandbox at the API. */
  api: string
  files: ReadonlyMap<string, string>
  onNotification(method: string, params: unknown): void
  onSaid(level: 'info' | 'warn', text: string): void
}

export type OpenLanguage = (options: Omit<LanguagePortOptions, 'api'>) => LanguagePort

/** Talks with the worker that knows the language. */
export function languagePort(
  worker: Worker,
  { api, files, onNotification, onSaid }: LanguagePortOptions,
): LanguagePort {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  const post = (message: ToLanguage) => worker.postMessage(message)
  worker.onmessage = ({ data }: MessageEvent<FromLanguage>) => {
    switch (data.type) {
      case 'answer':
        waiting.get(data.id)?.resolve(data.result)
        waiting.delete(data.id)
        return
      case 'refusal':
        waiting.get(data.id)?.reject(new ProtocolError(data.code, data.message))
        waiting.delete(data.id)
        return
      case 'notification':
        return onNotification(data.method, data.params)
      case 'said':
        return onSaid(data.level, data.text)
    }
  }
  worker.onerror = ({ message }) => {
    onSaid('warn', `Help with the language is not there: ${message}. Load the page again to try once more.`)
    for (const { reject } of waiting.values()) reject(new ProtocolError('CRITICAL_ERROR', message))
    waiting.clear()
  }
  post({ type: 'begin', api, files })
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        post({ type: 'request', id: lastId, method, params })
      }),
    change: (changes) => post({ type: 'files', changes }),
    opened: (paths) => post({ type: 'opened', paths }),
    moved: (address) => post({ type: 'moved', api: address }),
  }
}
