import { DEV_SERVER_VERSION } from '@boxyard/protocol'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { version } from '../version.ts'

/** What a machine that starts now would have. */
const versionsSchema = z.object({ pitcher: z.string(), pitcherManager: z.string() })

/** Clients ask the manager of a machine, whose address is that of this server. It answers without machines, too. */
export function registerVersions(app: App): void {
  for (const path of ['/versions', '/api/versions']) {
    app.get(path, { schema: { response: { 200: versionsSchema } } }, async () => ({
      pitcher: DEV_SERVER_VERSION,
      pitcherManager: version,
    }))
  }
}
