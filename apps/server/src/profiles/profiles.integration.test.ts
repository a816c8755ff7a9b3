import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badges, userBadges, users } from '../database/schema.ts'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser
let shown: string
let hidden: string

beforeAll(async () => {
  const machines = async () => ({ service: recordingMachines(), close: async () => undefined })
  server = await startTestServer({}, { machines, templatesFolder: templates.folder })
  ada = await server.signedIn('ada')
  grace = await server.signedIn('grace')
  shown = await fork(0)
  hidden = await fork(1)
  await grace.call('POST', `/api/v1/sandboxes/${shown}/likes`)
  await ada.call('POST', `/api/v1/sandboxes/${hidden}/likes`)
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

async function fork(privacy: number): Promise<string> {
  const answer = await ada.call('POST', '/api/v1/sandboxes/node/fork', { privacy })
  return (answer.body as { data: { id: string } }).data.id
}

describe('a profile', () => {
  it('AP620: shows everybody what is public, and nothing else', async () => {
    const { body } = await server.browser().call('GET', '/api/v1/users/ADA')
    expect(body).toMatchObject({
      data: { username: 'ada', sandbox_count: 1, received_like_count: 1, given_like_count: 1, teams: [], badges: [] },
    })
    expect(JSON.stringify(body)).not.toContain('ada@example.test')
    expect((await server.browser().call('GET', '/api/v1/users/nobody')).status).toBe(404)
    const own = (await ada.call('GET', '/api/v1/users/ada')).body as { data: { teams: unknown[] } }
    expect(own.data.teams).toHaveLength(1)
    const pages = await server
      .browser()
      .call('GET', '/api/v1/users/ada/sandboxes?sort_by=view_count&direction=desc&page=1')
    expect(pages.body).toMatchObject({ '1': [{ id: shown, like_count: 1, author: { username: 'ada' } }] })
    expect((await grace.call('GET', '/api/v1/users/ada/sandboxes?page=2')).body).toEqual({ '2': [] })
    expect((await grace.call('GET', '/api/v1/users/grace/sandboxes/liked?page=all')).body).toMatchObject({
      '1': [{ id: shown }],
    })
    // What is liked may have become private, or never was public.
    expect((await grace.call('GET', '/api/v1/users/ada/sandboxes/liked')).body).toEqual({ '1': [] })
  })

  it('AP621: is arranged by its owner with public sandboxes of their own', async () => {
    const featured = (ids: string[]) => ({ user: { featured_sandboxes: ids } })
    expect((await grace.call('PATCH', '/api/v1/users/ada', featured([shown]))).status).toBe(403)
    expect((await grace.call('PATCH', '/api/v1/users/grace', featured([shown]))).status).toBe(422)
    expect((await ada.call('PATCH', '/api/v1/users/ada', featured([shown, hidden]))).status).toBe(422)
    const change = { user: { featured_sandboxes: [shown], showcased_sandbox_shortid: shown } }
    expect((await ada.call('PATCH', '/api/v1/users/ada', change)).body).toMatchObject({
      data: { showcased_sandbox_shortid: shown, featured_sandboxes: [{ id: shown }] },
    })
    expect(
      (await ada.call('PATCH', '/api/v1/users/ada', { user: { showcased_sandbox_shortid: null } })).body,
    ).toMatchObject({
      data: { showcased_sandbox_shortid: null, featured_sandboxes: [{ id: shown }] },
    })
    await ada.call('PATCH', `/api/v1/sandboxes/${shown}/privacy`, { sandbox: { privacy: 2 } })
    expect((await grace.call('GET', '/api/v1/users/ada')).body).toMatchObject({ data: { featured_sandboxes: [] } })
    await ada.call('PATCH', `/api/v1/sandboxes/${shown}/privacy`, { sandbox: { privacy: 0 } })
  })

  it('AP622: and the one of who asks say what the server knows about them', async () => {
    const { database } = server.context
    const id = (await valueOf<{ id: string }>(ada, '{ me { id } }')).id
    await database.insert(badges).values({ id: 'early', name: 'Early' })
    await database.insert(userBadges).values({ userId: id, badgeId: 'early' })
    await database.update(users).set({ insertedAt: new Date(Date.now() - 30 * 86_400_000) })
    const current = async () => ((await ada.call('GET', '/api/v1/users/current')).body as { data: object }).data
    expect(await current()).toMatchObject({
      badges: [{ id: 'early', name: 'Early' }],
      send_survey: true,
      experiments: {},
      curator_at: null,
      subscription: null,
    })
    await ada.call('POST', '/api/v1/users/experiments', { experiments: { newEditor: true } })
    await ada.call('POST', '/api/v1/users/survey-seen')
    expect(await current()).toMatchObject({ send_survey: false, experiments: { newEditor: true } })
    const token = (await ada.call('POST', '/api/v1/users/current/sse')).body as { data: { jwt: string } }
    expect(await server.context.tokens.verifySessionToken(token.data.jwt)).toMatchObject({ userId: id })
  })

  it('AP623: beside it, lists leave out what may not be seen', async () => {
    const asked = { ids: [shown, hidden, 'zzzzzz', await fork(2)] }
    const visible = (await grace.call('POST', '/api/v1/sandboxes/mslim', asked)).body as { data: { id: string }[] }
    expect(visible.data.map(({ id }) => id).toSorted()).toEqual([shown, hidden].toSorted())
    const explore = await server.browser().call('GET', '/api/v1/sandboxes/templates/explore')
    expect(explore.body).toEqual((await server.browser().call('GET', '/api/v1/sandboxes/templates/official')).body)
  })
})
