import type { App } from '../App.ts'
import { sandboxSchema } from '../api/schemas.ts'
import type { OfficialTemplate, Sandbox } from '../api/schemas.ts'

export interface CreateInput {
  template: OfficialTemplate
  /** Empty: the server names it. */
  title: string
  teamId: string | undefined
  /** Without a machine, in the browser of whoever opens it. */
  inBrowser: boolean
}

/** Makes a devbox, or a sandbox that runs in the browser, from a template. */
export async function createSandbox(app: App, { template, title, teamId, inBrowser }: CreateInput): Promise<Sandbox> {
  const made = await app.rest.post(`/sandboxes/${encodeURIComponent(template.id)}/fork`, {
    schema: sandboxSchema,
    body: { v2: !inBrowser, teamId, title: title.trim() || undefined },
  })
  await app.queries.invalidateQueries({ queryKey: ['recent'] })
  return made
}
