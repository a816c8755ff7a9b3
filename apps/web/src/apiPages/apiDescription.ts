import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

const schemaSchema = z.record(z.string(), z.unknown())
const content = z.record(z.string(), z.object({ schema: schemaSchema.optional() })).optional()

const operationSchema = z.object({
  summary: z.string().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        schema: schemaSchema.optional(),
      }),
    )
    .optional(),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content })).optional(),
})

const descriptionSchema = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().optional() }),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
})

export interface ApiCall {
  id: string
  method: string
  path: string
  parameters: { name: string; place: string; required: boolean; type: string }[]
  /** JSON Schema as text. */
  request: string | null
  answers: { status: string; schema: string | null }[]
}

/** The calls of the server in groups by the first part of their path, as it describes them itself. The answer is not of the usual kind, so its keys stay as they are. */
export const apiDescription = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => {
    const answer = await fetch('/api/openapi.json', { signal })
    if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
    const { info, paths } = descriptionSchema.parse(await answer.json())
    const calls = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]): ApiCall => ({
        id: `${method}-${path}`,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map(({ name, in: place, required, schema }) => ({
          name,
          place,
          required: required ?? false,
          type: typeof schema?.['type'] === 'string' ? schema['type'] : 'any',
        })),
        request: textOf(operation.requestBody?.content),
        answers: Object.entries(operation.responses ?? {}).map(([status, response]) => ({
          status,
          schema: textOf(response.content),
        })),
      })),
    )
    const groups = new Map<string, ApiCall[]>()
    for (const call of calls) groups.set(groupOf(call.path), [...(groups.get(groupOf(call.path)) ?? []), call])
    return { info, groups }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

function textOf(given: z.infer<typeof content>): string | null {
  const schema = given?.['application/json']?.schema
  return schema === undefined ? null : JSON.stringify(schema, null, 2)
}

function groupOf(path: string): string {
  return path.replace(/^\/api\/(?:v1\/|beta\/)?/, '').split('/', 1)[0] ?? ''
}
