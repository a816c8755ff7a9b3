import type { SandboxCard } from '../api/queries.ts'
import type { App } from '../App.ts'

/** Saves the files of a sandbox as an archive among the person's downloads. */
export async function exportSandbox(app: App, { id, alias }: SandboxCard): Promise<void> {
  const name = alias ?? id
  app.notices.add({
    uniqueName: `export-${id}`,
    tone: 'info',
    title: `Preparing ${name}.zip`,
    body: 'A devbox that is asleep is started first.',
  })
  try {
    const archive = await app.rest.download(`/sandboxes/${encodeURIComponent(id)}/export`)
    const url = URL.createObjectURL(archive)
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.zip`
    link.click()
    URL.revokeObjectURL(url)
  } finally {
    app.notices.dismiss(`export-${id}`)
  }
}
