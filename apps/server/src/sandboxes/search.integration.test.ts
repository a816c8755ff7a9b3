import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let owner: TestBrowser
let member: TestBrowser
let stranger: TestBrowser
let teamId: string
const ids: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer(
    {},
    {
      machines: async () => ({ service: recordingMachines(), close: async () => undefined }),
      templatesFolder: templates.folder,
    },
  )
  owner = await server.signedIn('owner')
  member = await server.signedIn('member')
  stranger = await server.signedIn('stranger')
  teamId = (await valueOf<{ id: string }>(owner, 'mutation { createTeam(name: "Makers") { id } }')).id
  await valueOf(
    owner,
    `mutation { inviteToTeam(teamId: "${teamId}", username: "member", authorization: WRITE) { id } }`,
  )
  await valueOf(member, `mutation { acceptTeamInvitation(teamId: "${teamId}") { id } }`)
  for (const [name, sandbox] of Object.entries({
    station: { title: 'Weather station', description: 'Measures the wind' },
    wind: { title: 'Wind tunnel', description: 'Łódź, naïve and 東京' },
    draft: { title: 'Windy idea', description: '' },
    gone: { title: 'Wind that was', description: '' },
  })) {
    const made = await owner.call('POST', '/api/v1/sandboxes/node/fork', { team_id: teamId, title: sandbox.title })
    const id = (made.body as { data: { id: string } }).data.id
    ids[name] = id
    await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox })
  }
  await valueOf(
    owner,
    `mutation ($ids: [ID], $id: UUID4) { addToCollection(collectionPath: "/", teamId: $id, sandboxIds: $ids) { id } }`,
    { id: teamId, ids: [ids['station'], ids['wind'], ids['gone']] },
  )
  await valueOf(owner, `mutation { deleteSandboxes(sandboxIds: ["${ids['gone']}"]) { id } }`)
  await owner.call('POST', `/api/v1/sandboxes/${ids['station']}/tags`, { tag: 'hardware' })
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id)
async function found(browser: TestBrowser, text: string, limit = 50): Promise<(string | undefined)[]> {
  const { team } = await valueOf<{ team: { search: { id: string }[] } | null }>(
    browser,
    'query ($id: UUID4, $text: String!, $limit: Int) { me { team(id: $id) { search(text: $text, limit: $limit) { id } } } }',
    { id: teamId, text, limit },
  )
  return (team?.search ?? []).map(({ id }) => nameOf(id))
}

describe('AP858: the search of a workspace', () => {
  it('finds words of titles, descriptions and tags, the last one by its beginning, the best first', async () => {
    expect(await found(member, 'weather')).toEqual(['station'])
    expect(await found(member, 'MEASURES the wi')).toEqual(['station'])
    expect((await found(member, 'wind')).toSorted()).toEqual(['station', 'wind'])
    expect(await found(member, 'hardware')).toEqual(['station'])
    expect(await found(member, 'łódź')).toEqual(['wind'])
    expect(await found(member, 'ŁÓ')).toEqual(['wind'])
    expect(await found(member, 'NAÏVE and')).toEqual(['wind'])
    expect(await found(member, 'nai\u0308ve')).toEqual(['wind'])
    expect(await found(member, '東京')).toEqual(['wind'])
    expect(await found(member, 'weather tunnel')).toEqual([])
    expect(await found(member, 'wind', 1)).toHaveLength(1)
  })

  it('finds drafts for their author alone, nothing in the trash, and nothing for who is outside', async () => {
    expect((await found(owner, 'wind')).toSorted()).toEqual(['draft', 'station', 'wind'])
    expect(await found(member, 'windy')).toEqual([])
    expect(await found(stranger, 'wind')).toEqual([])
    expect(await found(owner, 'was')).toEqual([])
  })

  it('takes operators, quotes and nothing at all as they are', async () => {
    for (const text of ['', '   ', '&', '!', "'", '"', ':*', 'zz & | ! (', '\\', '%', 'x'.repeat(10_000)])
      expect([text, await found(owner, text)]).toEqual([text, []])
    expect((await found(owner, "wind':* | !")).toSorted()).toEqual(['draft', 'station', 'wind'])
  })
})

describe('AP859: bookmarks of templates', () => {
  const mark = (kind: string, templateId: string, team?: string) =>
    `mutation { ${kind}Template(templateId: "${templateId}"${team ? `, teamId: "${team}"` : ''}) { id } }`
  const ofPerson = (browser: TestBrowser) =>
    valueOf<{ bookmarkedTemplates: { id: string }[] }>(browser, '{ me { bookmarkedTemplates { id } } }')
  const ofTeam = async (browser: TestBrowser) =>
    (
      await valueOf<{ team: { bookmarkedTemplates: { id: string }[] } }>(
        browser,
        `{ me { team(id: "${teamId}") { bookmarkedTemplates { id } } } }`,
      )
    ).team.bookmarkedTemplates

  it('are kept for a person or for a workspace, by who may edit its templates, of what they may see', async () => {
    const [made] = await valueOf<{ id: string }[]>(
      owner,
      `mutation { makeSandboxesTemplates(sandboxIds: ["${ids['wind']}"]) { id } }`,
    )
    const { id } = made!
    await valueOf(member, mark('bookmark', id))
    expect(await ofPerson(member)).toEqual({ bookmarkedTemplates: [{ id }] })
    expect([await ofPerson(owner), await ofTeam(owner)]).toEqual([{ bookmarkedTemplates: [] }, []])
    await valueOf(member, mark('bookmark', id, teamId))
    expect([await ofTeam(owner), await ofTeam(member)]).toEqual([[{ id }], [{ id }]])
    expect(await valueOf(stranger, mark('bookmark', id))).toBeNull()
    expect(await ofPerson(stranger)).toEqual({ bookmarkedTemplates: [] })
    await valueOf(
      owner,
      `mutation ($changes: [MemberAuthorization!]) { changeTeamMemberAuthorizations(teamId: "${teamId}", memberAuthorizations: $changes) { id } }`,
      {
        changes: [{ userId: (await valueOf<{ id: string }>(member, '{ me { id } }')).id, authorization: 'READ' }],
      },
    )
    expect(await failureOf(member, mark('unbookmark', id, teamId))).toBe('FORBIDDEN')
    await valueOf(member, mark('unbookmark', id))
    expect([await ofPerson(member), await ofTeam(member)]).toEqual([{ bookmarkedTemplates: [] }, [{ id }]])
    await valueOf(owner, mark('unbookmark', id, teamId))
    expect(await ofTeam(owner)).toEqual([])
  })
})
