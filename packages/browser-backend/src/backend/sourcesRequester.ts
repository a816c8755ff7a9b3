import { z } from 'zod'

const sourcesSchema = z.object({ id: z.string(), versions: z.record(z.string(), z.string()) })
export type Sources = z.infer<typeof sourcesSchema>
const answerSchema = z.object({ data: sourcesSchema })
const failureSchema = z.object({ error: z.object({ message: z.string(), next: z.string().optional() }) })

/** Asks the server for the files of packages; the same question only once. `api`: address of the sandbox at the API. */
export function sourcesRequester(api: string): (dependencies: Readonly<Record<string, string>>) => Promise<Sources> {
  const asked = new Map<string, Promise<Sources>>()
  const ask = async (body: string): Promise<Sources> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${api}/sources`, { method: 'POST', headers, body }).catch(() => {
      throw new Error('The server that has the packages does not answer. Run it again when you are connected.')
    })
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return answerSchema.parse(answer).data
    const failure = failureSchema.safeParse(answer)
    if (!failure.success) throw new Error(`The packages could not be fetched (${response.status}). Run it again.`)
    const { message, next } = failure.data.error
    throw new Error(next === undefined ? message : `${message}. ${next}`)
  }
  return (dependencies) => {
    const body = JSON.stringify({ dependencies })
    const known = asked.get(body) ?? ask(body)
    asked.set(body, known)
    known.catch(() => asked.delete(body))
    return known
  }
}
