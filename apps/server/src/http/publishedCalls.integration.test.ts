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

/** Fields of answers that are null whatever is asked about, and why that is the truth. */
const nulls: Readonly<Record<string, string>> = {
  'data.environment_variables':
    'They are asked for by a call of their own, which only those answer to who may change them.',
  'data.github.token':
    'What the git host gave leaves the server for the git host alone: a page could be made to give it away.',
}

interface Schema {
  type?: unknown
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
}

it('AP863: no field of a REST answer is always null, but for those that have a reason', async () => {
  const { body } = await server.browser().call('GET', '/api/openapi.json')
  const found = new Set<string>()
  // Where an answer has one of several shapes a field of one of them says something.
  const telling = new Set<string>()
  const look = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties, ...rest } = node as Schema
    for (const [key, schema] of Object.entries(properties ?? {})) {
      const at = path === '' ? key : `${path}.${key}`
      const values = schema.enum ?? ('const' in schema ? [schema.const] : [])
      if (schema.type === 'null' || (values.length > 0 && values.every((value) => value === null))) found.add(at)
      else {
        telling.add(at)
        look(schema, at)
      }
    }
    for (const inner of Object.values(rest)) look(inner, path)
  }
  for (const methods of Object.values((body as { paths: Record<string, Record<string, object>> }).paths)) {
    for (const route of Object.values(methods)) look((route as { responses: object }).responses, '')
  }
  expect([...found].filter((field) => !telling.has(field)).toSorted()).toEqual(Object.keys(nulls).toSorted())
})
