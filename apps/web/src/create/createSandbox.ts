import type { App } from '../App.ts'
import { sandboxSchema } from '../api/schemas.ts'
import type { OfficialTemplate, Sandbox } from '../api/schemas.ts'
import { renameSandbox } from '../dashboard/sandboxCommands.ts'

export interface CreateInput {
  template: OfficialTemplate
  /** Empty: the server names it. */
  title: string
  teamId: string | undefined
}

/** Makes a devbox from a template. A name that can't be given is told, but doesn't undo the devbox. */
export async function createSandbox(app: App, { template, title, teamId }: CreateInput): Promise<Sandbox> {
  const made = await app.rest.post(`/sandboxes/${encodeURIComponent(template.id)}/fork`, {
    schema: sandboxSchema,
    body: { v2: true, teamId },
  })
  if (title.trim() !== '') {
    try {
      await renameSandbox(app, made.id, title.trim())
    } catch (error) {
      app.notices.add({
        tone: 'warning',
        title: 'The devbox has no name yet',
        body: `It was created, but naming it failed: ${error instanceof Error ? error.message : String(error)}`,
      })
    }
  }
  await app.queries.invalidateQueries({ queryKey: ['recent'] })
  return made
}
