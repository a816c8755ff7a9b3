import { expect, it } from 'vitest'
import { RestClient } from '../api/RestClient.ts'
import { isInWorkspace } from './isInWorkspace.ts'

function server(workspaceId: string | null) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(`${init?.method ?? 'GET'} ${String(input)}`)
    return Response.json({
      data: { id: 'b', branch: 'fix/one', owner: 'ada', repo: 'to do', workspace_id: workspaceId },
    })
  }
  return { asked, rest: new RestClient({ fetch }) }
}

it('AP953: a branch is looked for in the workspaces of the person, wherever its editor stands', async () => {
  for (const path of ['/github/ada/to%20do/fix/one', '/vscode/github/ada/to%20do/fix/one']) {
    const app = server('w')
    expect(await isInWorkspace(app, path)).toBe(true)
    expect(app.asked).toEqual([expect.stringMatching(/^GET .*\/api\/beta\/github\/ada\/to%20do\/fix%2Fone$/)])
  }
  expect(await isInWorkspace(server(null), '/github/ada/todo')).toBe(false)
  const other = server('w')
  expect([await isInWorkspace(other, '/devbox/one'), other.asked]).toEqual([false, []])
})
