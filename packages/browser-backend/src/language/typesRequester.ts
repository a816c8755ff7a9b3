import { z } from 'zod'
import { keptAnswersOf } from '../offline/keptAnswers.ts'

const madeSchema = z.object({ data: z.object({ id: z.string(), missing: z.record(z.string(), z.string()) }) })
const filesSchema = z.object({ files: z.record(z.string(), z.string()) })
const failureSchema = z.object({ error: z.object({ message: z.string(), next: z.string().optional() }) })

export type LoadTypes = (dependencies: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>

/** Asks the server for the declarations of packages. `api`: address of the sandbox at the API. */
export function typesRequester(api: string): LoadTypes {
  const send = keptAnswersOf(api)?.fetch ?? fetch
  const ask = async (address: string, init?: RequestInit): Promise<unknown> => {
    const response = await send(address, init)
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return answer
    const failure = failureSchema.safeParse(answer)
    if (!failure.success) throw new Error(`The server answered with ${response.status}`)
    const { message, next } = failure.data.error
    throw new Error(next === undefined ? message : `${message}. ${next}`)
  }
  return async (dependencies) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ dependencies })
    const made = madeSchema.parse(await ask(`${api}/types`, { method: 'POST', headers, body }))
    return filesSchema.parse(await ask(new URL(`/api/v1/types/${made.data.id}`, api).href)).files
  }
}
