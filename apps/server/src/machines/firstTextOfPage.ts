import { ApiError } from '@boxyard/api'
import { filePlace } from '@boxyard/api/file-place'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { MachineGateway } from '../edge/machineGateway.ts'
import { authorizeSandbox, devServerAccess } from '../sandboxes/index.ts'
import { firstText } from './firstText.ts'
import type { FirstText } from './firstText.ts'

/** What an editor's page carries: the question that its script will have, and the answer. */
export interface FirstTextOfPage {
  id: string
  path: string
  scheme: 'dark' | 'light'
  answer: FirstText | null
}

/** The cookie that the page leaves at its own address. */
const PLACE = 'boxyard.place'
const placeSchema = z.object({
  id: z.string().max(100),
  path: z.string().min(1).max(1_000),
  scheme: z.enum(['dark', 'light']),
})

/**
 * The text that the page of an editor begins with: the file that the address names, else the one of this browser's last visit there, else the
 * README. Null where the address names no box, or one that whoever asks may not open; the page says so itself.
 */
export async function firstTextOfPage(
  database: Database,
  machines: MachineGateway,
  request: FastifyRequest,
): Promise<FirstTextOfPage | null> {
  // A link on another site brings no session along, and the page would begin as a visitor's.
  if (request.headers['sec-fetch-site'] === 'cross-site') return null
  const { pathname, searchParams } = new URL(request.url, 'http://page')
  const place = placeOf(request)
  const id = boxOfPath(pathname) ?? (searchParams.has('create') ? undefined : place?.id)
  if (id === undefined) return null
  const file = searchParams.get('file')
  const path = (file && filePlace(file).path) || (place?.id === id ? place.path : 'README.md')
  const scheme = place?.scheme ?? 'dark'
  try {
    const access = await authorizeSandbox(database, id, request.user, 'open')
    const canWrite = devServerAccess(access) === 'write'
    return { id, path, scheme, answer: await firstText(machines, { boxId: access.sandbox.id, path, scheme, canWrite }) }
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** The address of a branch names no box; the page leaves it in the cookie. */
function boxOfPath(pathname: string): string | undefined {
  return /^\/(?:devbox|sandbox|vscode(?!\/github\/))\/([^/]+)/.exec(pathname)?.[1]
}

function placeOf({ cookies }: FastifyRequest): z.infer<typeof placeSchema> | undefined {
  try {
    return placeSchema.parse(JSON.parse(cookies[PLACE] ?? 'null'))
  } catch {
    // Whoever wrote it: the first visit's beginning is as good.
    return undefined
  }
}
