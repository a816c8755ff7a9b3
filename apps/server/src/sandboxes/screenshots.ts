import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { Queryable } from '../database/database.ts'
import { sandboxDirectories, sandboxModules } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { filePaths } from './filePaths.ts'
import { paintScreenshot } from './paintScreenshot.ts'
import { authorizeSandbox } from './sandboxes.ts'
import type { Sandbox } from './sandboxes.ts'
import type { TemplateCatalogue } from './templates.ts'

/** No more of a file is on its picture. */
const MOST_TEXT = 4000
/** What a person would open first, the best first. */
const telling = [
  /^(?:src\/)?app\.[jt]sx?$/i,
  /^(?:src\/)?(?:index|main)\.[jt]sx?$/i,
  /^(?:src\/)?App\.(?:vue|svelte)$/i,
  /^index\.html$/i,
  /^readme\.md$/i,
]

/**
 * Where the picture of a sandbox is: of the file that its template or its owner calls the first one, as it was saved last. What a devbox has
 * is on its machine, which nobody wakes for a picture, so that it has none.
 */
export function screenshotUrl({ id, isV2, version }: Pick<Sandbox, 'id' | 'isV2' | 'version'>): string | null {
  return isV2 ? null : `/api/v1/sandboxes/${id}/screenshot.svg?version=${version}`
}

/** The pictures of sandboxes, for whoever may see them. */
export function registerScreenshots(app: App, { database }: ServerContext, templates: TemplateCatalogue): void {
  app.get(
    '/api/v1/sandboxes/:id/screenshot.svg',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: z.object({ id: z.string().min(1).max(100) }),
        querystring: z.object({ version: z.string().max(20).optional() }),
        response: { 200: z.string().describe('An SVG with the beginning of its first file') },
      },
      serializerCompiler: () => String,
    },
    async ({ params, query, user }, reply) => {
      const { sandbox } = await authorizeSandbox(database, params.id, user, 'see')
      // A version never looks another way; without one the next look may differ.
      const isFinal = query.version === String(sandbox.version)
      reply.header('cache-control', isFinal ? 'private, max-age=31536000, immutable' : 'private, no-cache')
      const file = sandbox.isV2 ? null : await firstFile(database, sandbox, templates)
      return reply.type('image/svg+xml; charset=utf-8').send(await paintScreenshot(file))
    },
  )
}

async function firstFile(
  database: Queryable,
  { id, entry, template }: Sandbox,
  templates: TemplateCatalogue,
): Promise<{ path: string; text: string } | null> {
  const modules = await database
    .select({
      shortid: sandboxModules.shortid,
      title: sandboxModules.title,
      directoryShortid: sandboxModules.directoryShortid,
    })
    .from(sandboxModules)
    .where(and(eq(sandboxModules.sandboxId, id), eq(sandboxModules.isBinary, false)))
  const directories = await database.select().from(sandboxDirectories).where(eq(sandboxDirectories.sandboxId, id))
  const files = filePaths({ modules, directories })
  const named = (entry ?? (template === null ? null : templates.find(template))?.entry)?.replace(/^\/+/, '')
  const chosen =
    files.find(([path]) => path === named) ??
    telling.map((pattern) => files.find(([path]) => pattern.test(path))).find((found) => found !== undefined) ??
    files[0]
  if (!chosen) return null
  const [path, { shortid }] = chosen
  const [row] = await database
    .select({ text: sql<string>`left(${sandboxModules.code}, ${MOST_TEXT})` })
    .from(sandboxModules)
    .where(and(eq(sandboxModules.sandboxId, id), eq(sandboxModules.shortid, shortid)))
  // It was removed meanwhile.
  return row ? { path, text: row.text } : null
}
