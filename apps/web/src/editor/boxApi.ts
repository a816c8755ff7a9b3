import { z } from 'zod'
import { toCamelCase } from '../api/caseConversion.ts'
import { RequestError } from '../api/RequestError.ts'
import type { RestClient } from '../api/RestClient.ts'
import { startedBoxSchema, startProgressSchema } from '../api/schemas.ts'
import type { StartedBox, StartProgress } from '../api/schemas.ts'
import type { BoxFailure } from './boxMachine.ts'

const path = (id: string, rest: string) => `/api/vm/${encodeURIComponent(id)}/${rest}`

/** The calls that a page makes about one box. */
export function boxApi(rest: RestClient, id: string) {
  return {
    start: (signal?: AbortSignal): Promise<StartedBox> =>
      rest.post(path(id, 'start'), { schema: startedBoxSchema, body: {}, ...(signal ? { signal } : {}) }),

    /** Stops the box and starts it cleanly. */
    restart: (signal?: AbortSignal): Promise<StartedBox> =>
      rest.post(path(id, 'restart'), { schema: startedBoxSchema, body: {}, ...(signal ? { signal } : {}) }),

    log: async (signal: AbortSignal): Promise<string> => {
      const answer = await rest.get(path(id, 'log'), {
        schema: z.union([z.string(), z.object({ log: z.string() })]),
        signal,
      })
      return typeof answer === 'string' ? answer : answer.log
    },

    previewToken: async (): Promise<string> => {
      const { token } = await rest.get('/auth/preview_token', {
        schema: z.object({ token: z.string() }),
        query: { sandbox_id: id },
      })
      return token
    },

    /** Reports the phases of a start while one goes on. The answer stops it. */
    watchStart(onProgress: (progress: StartProgress) => void): () => void {
      const source = new EventSource(path(id, 'start/progress'))
      source.addEventListener('progress', (event: MessageEvent<string>) => {
        const parsed = startProgressSchema.safeParse(toCamelCase(JSON.parse(event.data)))
        if (parsed.success) onProgress(parsed.data)
        else console.error('The progress of the start has another form than agreed', parsed.error)
      })
      return () => source.close()
    },
  }
}
export type BoxApi = ReturnType<typeof boxApi>

/** What a failed start says. */
export function boxFailure(error: unknown): BoxFailure {
  if (!(error instanceof RequestError)) return { message: error instanceof Error ? error.message : String(error) }
  const { message, code, phase, detail, next, status } = error
  return { message, code, phase, detail, next, status }
}
