import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishedCalls } from '../testing/publishedCalls.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
/** The route that took the last request, or undefined where there is none. */
let taken: string | undefined

beforeAll(async () => {
  server = await startTestServer(
    {},
    {
      machines: async (app) => {
        app.addHook('onRequest', async (request) => {
          taken = request.is404 ? undefined : request.routeOptions.url
        })
        return { service: recordingMachines(), close: async () => undefined }
      },
      templatesFolder: templates.folder,
    },
  )
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

const partsOf = (path: string) => path.split('/').filter((part) => part !== '')

/** Whether the route is the one for this address, and not a wider one that takes it too. */
function isFor(path: string, route: string): boolean {
  const parts = partsOf(path)
  const own = partsOf(route)
  return (
    own.length === parts.length &&
    parts.every((part, at) => {
      if (part.endsWith('...}')) return own[at] === '*'
      return part.startsWith('{') ? own[at]!.startsWith(':') : own[at] === part
    })
  )
}

describe('AP812: what public clients call', () => {
  it.each(publishedCalls)('%s has a route of its own', async (call) => {
    const [method, path] = call.split(' ') as ['GET', string]
    const url = path.replaceAll(/\{\w+\.\.\.\}/g, 'some/thing').replaceAll(/\{\w+\}/g, '1')
    taken = undefined
    await server.app.inject({ method, url, headers: { host: new URL(server.origin).host } })
    expect(taken).toBeDefined()
    expect([taken, isFor(path, taken!)]).toEqual([taken, true])
  })

  it('has names in no list twice', () => {
    expect(new Set(publishedCalls).size).toBe(publishedCalls.length)
  })
})

it('AP803: every REST call of the platform is described with its answers', async () => {
  const { body } = await server.browser().call('GET', '/api/openapi.json')
  type Answer = { content?: Record<string, { schema?: object }> }
  const { paths } = body as { paths: Record<string, Record<string, { responses: Record<string, Answer> }>> }
  const bare = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const isDescribed = Object.entries(responses).some(
        ([status, { content }]) => status === '204' || Object.keys(content ?? {}).length > 0,
      )
      return isDescribed ? [] : [`${method.toUpperCase()} ${path}`]
    }),
  )
  expect(bare).toEqual([])
})
