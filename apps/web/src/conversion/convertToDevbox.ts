import { z } from 'zod'
import type { App } from '../App.ts'
import { sandboxesChanged } from '../dashboard/sandboxCommands.ts'

/** Gives a sandbox that runs in the browser a machine, which its files move to. */
export async function convertToDevbox(app: App, id: string): Promise<void> {
  await app.rest.put(`/sandboxes/${encodeURIComponent(id)}`, { schema: z.unknown(), body: { sandbox: { v2: true } } })
  await sandboxesChanged(app)
}
