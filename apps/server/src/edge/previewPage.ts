import type { DevServerStatus } from './boxHttp.ts'

/** Paths on a preview's origin that the platform answers itself. */
export const STATUS_PATH = '/.well-known/boxyard/status'
export const RUN_PATH = '/.well-known/boxyard/run/'

export interface PreviewPage {
  boxId: string
  port: number
  /** Null while the box is not up. */
  status: DevServerStatus | null
  /** What happened, in one sentence. */
  headline: string
  /** What is safe and what to do next. */
  advice: string
  mayRun: boolean
  editorUrl: string
  nonce: string
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

const words: Record<string, string> = {
  RUNNING: 'running',
  FINISHED: 'finished',
  ERROR: 'failed',
  KILLED: 'stopped',
  RESTARTING: 'restarting',
}

function tasks({ status, mayRun }: PreviewPage): string {
  if (!status) return ''
  const rows = status.tasks.map((task) => {
    const state = task.status === null ? 'not started' : (words[task.status] ?? task.status.toLowerCase())
    const button =
      mayRun && task.status !== 'RUNNING'
        ? `<button type="button" data-run="${escapeHtml(task.id)}">Start ${escapeHtml(task.name)}</button>`
        : ''
    const tail =
      task.tail.trim() === ''
        ? ''
        : `<pre tabindex="0" aria-label="Last lines of ${escapeHtml(task.name)}">${escapeHtml(task.tail)}</pre>`
    return `<li><div><strong>${escapeHtml(task.name)}</strong> <code>${escapeHtml(task.command)}</code> <span>${escapeHtml(state)}</span>${button}</div>${tail}</li>`
  })
  const list = rows.length === 0 ? '<p>No task is configured.</p>' : `<ul>${rows.join('')}</ul>`
  const ports = status.ports.length === 0 ? 'No port is open yet.' : `Open ports: ${status.ports.join(', ')}.`
  return `<h2>Tasks</h2>${list}<p>${ports}</p>`
}

/** The page a preview shows when there is nothing to show. It comes back by itself as soon as the port answers. */
export function renderPreviewPage(page: PreviewPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.headline)}</title>
<style nonce="${page.nonce}">
:root { color-scheme: dark light; --ground: #0E0F11; --panel: #15171A; --line: #2A2E34; --text: #E8EAED; --quiet: #A7ADB6; --accent: #F2A33A; --on-accent: #17130B; }
@media (prefers-color-scheme: light) { :root { --ground: #FFFFFF; --panel: #F6F7F8; --line: #E1E4E8; --text: #17191C; --quiet: #50565E; --accent: #9A5B00; --on-accent: #FFFFFF; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 32px 20px; background: var(--ground); color: var(--text); font: 13px/1.5 Inter, system-ui, sans-serif; }
main { max-width: 720px; margin: 0 auto; }
h1 { font-size: 20px; font-weight: 600; margin: 0 0 8px; } h2 { font-size: 14px; font-weight: 600; margin: 24px 0 8px; }
p { margin: 0 0 8px; color: var(--quiet); } a { color: inherit; }
ul { list-style: none; margin: 0; padding: 0; } li { border-top: 1px solid var(--line); padding: 12px 0; }
li div { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; } li span { color: var(--quiet); }
code, pre { font: 12px/1.5 "JetBrains Mono", ui-monospace, monospace; } code { color: var(--quiet); }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 12px; margin: 8px 0 0; overflow: auto; max-height: 320px; white-space: pre-wrap; overflow-wrap: anywhere; }
button { margin-left: auto; height: 32px; padding: 0 12px; border: 0; border-radius: 4px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 500; cursor: pointer; }
button[disabled] { opacity: 0.6; cursor: default; } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(page.headline)}</h1>
<p>${escapeHtml(page.advice)}</p>
<div id="tasks" aria-live="polite">${tasks(page)}</div>
<p><a href="${escapeHtml(page.editorUrl)}" target="_top">Open in the editor</a></p>
</main>
<script nonce="${page.nonce}">
const port = ${page.port}
document.addEventListener('click', async ({ target }) => {
  const id = target.dataset && target.dataset.run
  if (!id) return
  target.disabled = true
  target.textContent = 'Starting'
  const answer = await fetch('${RUN_PATH}' + encodeURIComponent(id), { method: 'POST' })
  if (!answer.ok) target.textContent = 'It did not start'
})
async function look() {
  try {
    const answer = await fetch('${STATUS_PATH}', { cache: 'no-store' })
    if (answer.ok) {
      const status = await answer.json()
      if (status.ports.includes(port)) return location.reload()
      const shown = document.getElementById('tasks')
      if (status.html !== undefined && shown.dataset.html !== status.html) {
        shown.dataset.html = status.html
        shown.innerHTML = status.html
      }
    }
  } catch { /* The server is away for a moment; the next look tells. */ }
  setTimeout(look, 1000)
}
look()
</script>
</body>
</html>
`
}

/** The changing part of the page, for the status request. */
export function renderTasks(page: PreviewPage): string {
  return tasks(page)
}
