import { z } from 'zod'
import { RequestError } from './RequestError.ts'

const answerSchema = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string() })).optional(),
})

/** Asks the query API. Its keys are camelCase on the wire. */
export class GraphqlClient {
  readonly #fetch: typeof globalThis.fetch
  readonly #onAnswer: () => void

  /** `onAnswer` is called after every answer, whatever its status. */
  constructor(fetch: typeof globalThis.fetch, onAnswer: () => void) {
    this.#fetch = fetch
    this.#onAnswer = onAnswer
  }

  async query<Schema extends z.ZodType>(
    query: string,
    { schema, variables = {} }: { schema: Schema; variables?: Record<string, unknown> },
  ): Promise<z.output<Schema>> {
    let response: Response
    try {
      response = await this.#fetch('/api/graphql', {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-boxyard-client': 'web' },
        body: JSON.stringify({ query, variables }),
      })
    } catch (cause) {
      throw new RequestError({ status: 0, message: 'The server does not answer' }, { cause })
    }
    this.#onAnswer()
    const { status } = response
    const text = await response.text()
    let answer: z.output<typeof answerSchema>
    try {
      answer = answerSchema.parse(JSON.parse(text))
    } catch (cause) {
      throw new RequestError({ status, message: `The query API answered ${status}: ${text.slice(0, 200)}` }, { cause })
    }
    const messages = answer.errors?.map((error) => error.message) ?? []
    if (!answer.data || messages.length > 0) {
      throw new RequestError({ status, message: messages.join('\n') || 'Unknown error', firstMessage: messages[0] })
    }
    const parsed = schema.safeParse(answer.data)
    if (!parsed.success) {
      throw new RequestError(
        { status, message: `The query API answered something else than agreed: ${parsed.error.message}` },
        { cause: parsed.error },
      )
    }
    return parsed.data
  }
}
