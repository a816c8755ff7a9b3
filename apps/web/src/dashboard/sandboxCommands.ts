import { z } from 'zod'
import type { App } from '../App.ts'

const changed = (app: App, id: string) =>
  Promise.all([
    app.queries.invalidateQueries({ queryKey: ['recent'] }),
    app.queries.invalidateQueries({ queryKey: ['sandbox', id] }),
  ])

export async function renameSandbox(app: App, id: string, title: string): Promise<void> {
  await app.rest.put(`/sandboxes/${encodeURIComponent(id)}`, { schema: z.unknown(), body: { sandbox: { title } } })
  await changed(app, id)
}

export async function deleteSandbox(app: App, id: string): Promise<void> {
  await app.rest.delete(`/sandboxes/${encodeURIComponent(id)}`, { schema: z.unknown(), body: { id } })
  await changed(app, id)
}
