import { expect, it } from 'vitest'
import { z } from 'zod'
import { classify, RequestError } from './RequestError.ts'
import { RestClient } from './RestClient.ts'

interface Sent {
  url: string
  method: string | undefined
  body: unknown
}

function clientFor(status: number, body: string | null) {
  const sent: Sent[] = []
  let answers = 0
  const client = new RestClient({
    fetch: async (url, init) => {
      sent.push({
        url: String(url),
        method: init?.method,
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      })
      return new Response(body, { status })
    },
    onAnswer: () => (answers += 1),
  })
  return { client, sent, answers: () => answers }
}

async function failure(status: number, body: unknown): Promise<RequestError> {
  const { client } = clientFor(status, typeof body === 'string' ? body : JSON.stringify(body))
  return client.get('/x', { schema: z.unknown() }).then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: unknown) => {
      if (error instanceof RequestError) return error
      throw error
    },
  )
}

it('sends snake_case and answers with camelCase, in an envelope or bare', async () => {
  const enveloped = clientFor(200, '{"data":{"team_id":"t"}}')
  const schema = z.object({ teamId: z.string() })
  expect(await enveloped.client.post('/sandboxes/a/fork', { schema, body: { teamId: 't' } })).toEqual({ teamId: 't' })
  expect(enveloped.sent).toEqual([{ url: '/api/v1/sandboxes/a/fork', method: 'POST', body: { team_id: 't' } }])
  expect(enveloped.answers()).toBe(1)
  expect(await clientFor(200, '{"team_id":"t"}').client.get('/x', { schema })).toEqual({ teamId: 't' })
})

it('takes paths that begin with /api/ as they are, and leaves out unset query parameters', async () => {
  const { client, sent } = clientFor(204, null)
  const result = await client.get('/api/meta/features', {
    schema: z.undefined(),
    query: { a: '1 2', b: undefined },
  })
  expect(result).toBeUndefined()
  expect(sent[0]?.url).toBe('/api/meta/features?a=1+2')
})

it('reads the text of every form of error', async () => {
  expect((await failure(422, { errors: ['One', 'Two'] })).message).toBe('One\nTwo')
  expect((await failure(422, { errors: ['One', 'Two'] })).firstMessage).toBe('One')
  expect((await failure(422, { errors: { detail: 'Details' } })).message).toBe('Details')
  expect((await failure(422, { errors: { code: 'CODE' } })).message).toBe('CODE')
  expect((await failure(422, { errors: { username: ['is taken'] } })).message).toBe('username: is taken')
  expect((await failure(422, { errors: {} })).message).toBe('Unknown error')
  expect((await failure(400, { error: 'Text' })).message).toBe('Text')
  expect((await failure(400, { error: { message: 'Inner' } })).message).toBe('Inner')
  expect((await failure(400, { code: 'E1', message: 'Said' })).message).toBe('E1: Said')
  expect((await failure(400, {})).message).toBe('Unknown error')
})

it('keeps the code, the phase and the advice of a start that failed', async () => {
  const error = await failure(503, { errors: ['No'], code: 'DEADLINE', phase: 'queued', detail: 'D', next: 'Restart.' })
  expect(error).toMatchObject({ status: 503, detail: 'D', code: 'DEADLINE', phase: 'queued', next: 'Restart.' })
})

it('throws on a success that holds errors and no data', async () => {
  expect((await failure(200, { errors: ['Failed anyway'] })).message).toBe('Failed anyway')
})

it('says what came when it is no JSON', async () => {
  const error = await failure(502, '<html>')
  expect(error.message).toContain('/api/v1/x')
  expect(error.message).toContain('<html>')
  expect(error.cause).toBeInstanceOf(SyntaxError)
})

it('says that the server does not answer', async () => {
  const client = new RestClient({ fetch: () => Promise.reject(new TypeError('failed to fetch')) })
  await expect(client.get('/x', { schema: z.unknown() })).rejects.toMatchObject({
    status: 0,
    message: 'The server does not answer',
  })
})

it('refuses an answer of another shape', async () => {
  const { client } = clientFor(200, '{"id":1}')
  await expect(client.get('/x', { schema: z.object({ id: z.string() }) })).rejects.toThrow('than agreed')
})

it('classifies errors', async () => {
  expect(classify(await failure(404, {}))).toBe('NOT_FOUND')
  expect(classify(await failure(400, { error: 'Sandbox not found' }))).toBe('NOT_FOUND')
  expect(classify(await failure(402, {}))).toBe('WORKSPACE_FROZEN')
  expect(classify(await failure(401, {}))).toBe('UNAUTHORIZED')
  expect(classify(new Error('any'))).toBe('OTHER')
})
