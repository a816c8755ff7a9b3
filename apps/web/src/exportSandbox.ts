import type { App } from './App.ts'
import type { SandboxCard } from './api/queries.ts'

/** Saves the files of a sandbox as an archive among the person's downloads. */
export async function exportSandbox(
  app: App,
  { id, alias }: { id: string; alias?: SandboxCard['alias'] | undefined },
): Promise<void> {
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
