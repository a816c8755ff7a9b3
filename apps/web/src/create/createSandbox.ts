import type { App } from '../App.ts'
import { sandboxSchema } from '../api/schemas.ts'
import type { OfficialTemplate, Sandbox } from '../api/schemas.ts'

export interface CreateInput {
  template: OfficialTemplate
  /** Empty: the server names it. */
  title: string
  teamId: string | undefined
}

/** Makes a devbox from a template. */
export async function createSandbox(app: App, { template, title, teamId }: CreateInput): Promise<Sandbox> {
  const made = await app.rest.post(`/sandboxes/${encodeURIComponent(template.id)}/fork`, {
    schema: sandboxSchema,
    body: { v2: true, teamId, title: title.trim() || undefined },
  })
  await app.queries.invalidateQueries({ queryKey: ['recent'] })
  return made
}
