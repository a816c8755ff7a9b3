import { expect, test } from 'vitest'
import { memoryCaches } from '../testing/memoryCaches.ts'
import { forgetKeptAnswers, KeptAnswers } from './keptAnswers.ts'

const API = 'http://app.boxyard.test/api/v1/sandboxes/one'
const post = (body: string): RequestInit => ({ method: 'POST', body })

/** A server that says what it was asked, or is away. */
function kept(id = 'one', caches = memoryCaches()) {
  const server = { state: 'there' as 'there' | 'away' | 502 }
  const answers = new KeptAnswers(id, {
    caches,
    send: async (address, init) => {
      if (server.state === 'away') throw new TypeError('Failed to fetch')
      if (server.state === 502) return new Response('Bad gateway', { status: 502 })
      return new Response(JSON.stringify({ data: [address, init?.body ?? null] }))
    },
  })
  return { server, caches, answers }
}
const said = async (answer: Promise<Response>) => ((await (await answer).json()) as { data: unknown }).data

test('BB952: what was answered is answered again while the server is away, each question by its body', async () => {
  const { server, answers } = kept()
  await answers.fetch(API)
  await answers.fetch(`${API}/packs`, post('a'))
  await answers.fetch(`${API}/packs`, post('b'))
  await answers.settled
  server.state = 'away'
  expect(await said(answers.fetch(API))).toEqual([API, null])
  expect(await said(answers.fetch(`${API}/packs`, post('a')))).toEqual([`${API}/packs`, 'a'])
  expect(await said(answers.fetch(`${API}/packs`, post('b')))).toEqual([`${API}/packs`, 'b'])
  await expect(answers.fetch(`${API}/packs`, post('c'))).rejects.toThrow('Failed to fetch')
})

test('BB952: an answer of a proxy whose server is away counts as none; what was never answered is told as it is', async () => {
  const { server, answers } = kept()
  await answers.fetch(API)
  await answers.settled
  server.state = 502
  expect((await answers.fetch(API)).status).toBe(200)
  expect((await answers.fetch(`${API}/other`)).status).toBe(502)
  server.state = 'there'
  expect(await said(answers.fetch(`${API}/other`))).toEqual([`${API}/other`, null])
})

test('BB952: refusals are not kept', async () => {
  const caches = memoryCaches()
  const answers = new KeptAnswers('one', { caches, send: async () => new Response('', { status: 403 }) })
  await answers.fetch(API)
  await answers.settled
  expect(await caches.match(API)).toBeUndefined()
})

test('BB953: what is shown takes the place of what was answered', async () => {
  const { server, answers } = kept()
  answers.change(API, () => ({ data: 'too early' }))
  await answers.fetch(API)
  answers.change(API, (answer) => ({ data: [...(answer as { data: unknown[] }).data, 'more'] }))
  await answers.settled
  server.state = 'away'
  expect(await said(answers.fetch(API))).toEqual([API, null, 'more'])
})

test('BB954: the first of more than twenty sandboxes goes, and all when somebody else comes', async () => {
  const caches = memoryCaches()
  for (let number = 0; number < 21; number += 1) {
    const { answers } = kept(`s${number}`, caches)
    await answers.fetch(`${API}/${number}`)
    await answers.settled
  }
  expect(await caches.match(`${API}/0`)).toBeUndefined()
  expect(await caches.match(`${API}/1`)).toBeDefined()
  await caches.open('somebody else')
  await forgetKeptAnswers(caches)
  expect(await caches.keys()).toEqual(['somebody else'])
})

test('BB952: where a browser keeps nothing, the server is asked', async () => {
  const answers = new KeptAnswers('one', { caches: null, send: async () => Response.json({ data: 'there' }) })
  expect(await said(answers.fetch(API))).toBe('there')
})
