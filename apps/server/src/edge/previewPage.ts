import type { DevServerStatus } from './boxHttp.ts'
import { escapeHtml } from '../http/escapeHtml.ts'

/** Paths on a preview's origin that the platform answers itself. */
export const STATUS_PATH = '/.well-known/boxyard/status'
export const RUN_PATH = '/.well-known/boxyard/run/'

export interface PreviewPage {
  boxId: string
  port: number
  /** Null while the box is not up. */
  status: DevServerStatus | null
  words: PreviewWords
  mayRun: boolean
  editorUrl: string
  nonce: string
}

export interface PreviewWords {
  /** What happened, in one sentence. */
  headline: string
  /** What is safe and what to do next. */
  advice: string
}

const soon = 'This page shows the preview as soon as it is served.'

/** Why there is nothing to show on a port of a box that could be reached, or that is not up. */
export function previewWords(status: DevServerStatus | null, port: number): PreviewWords {
  if (status === null) {
    return { headline: 'The devbox is stopped', advice: 'Your files are safe. Reload this page to start it.' }
  }
  const { setup, tasks } = status
  const step = setup?.steps[setup.currentStepIndex]
  if (setup?.state === 'IN_PROGRESS' && step) {
    const place = `Step ${setup.currentStepIndex + 1} of ${setup.steps.length}: ${step.name}.`
    return { headline: 'The set-up is still running', advice: `${place} Your files are safe. ${soon}` }
  }
  const failed =
    setup?.state === 'STOPPED' ? setup.steps.find(({ finishStatus }) => finishStatus === 'FAILED') : undefined
  if (failed) {
    return {
      headline: `The set-up stopped at “${failed.name}”`,
      advice: 'Your files are safe. Open the devbox in the editor to read why and to run this step again.',
    }
  }
  if (!status.ready) return { headline: 'The devbox is starting', advice: `Your files are safe. ${soon}` }
  const task = tasks.find(({ preview_port }) => preview_port === port)
  switch (task?.status) {
    case 'RUNNING':
    case 'RESTARTING':
      return {
        headline: `${task.name} is starting`,
        advice: `Nothing listens on port ${port} yet. Your files are safe. ${soon}`,
      }
    case 'ERROR':
      return {
        headline: `${task.name} ended with an error`,
        advice: 'Your files are safe. Correct what its last lines say, then start it again.',
      }
    case 'KILLED':
    case 'FINISHED':
      return {
        headline: `${task.name} has ended`,
        advice: 'Your files are safe. Start it again to see its page.',
      }
    case null:
      return { headline: `${task.name} is not running`, advice: 'Your files are safe. Start it to see its page.' }
    default:
      return { headline: `Nothing listens on port ${port}`, advice: `Your files are safe. ${soon}` }
  }
}

const words: Record<string, string> = {
  RUNNING: 'running',
  FINISHED: 'finished',
  ERROR: 'failed',
  KILLED: 'stopped',
  RESTARTING: 'restarting',
}

function tasks({ status, mayRun }: PreviewPage): string {
  if (!status?.ready) return ''
  const rows = status.tasks.map((task) => {
    const state = task.status === null ? 'not started' : (words[task.status] ?? task.status.toLowerCase())
    const button =
      mayRun && task.status !== 'RUNNING' && task.status !== 'RESTARTING'
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

interface Document {
  title: string
  nonce: string
  /** HTML. */
  body: string
  script: string
}

function renderDocument({ title, nonce, body, script }: Document): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">
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
${body}</main>
${script === '' ? '' : `<script nonce="${nonce}">\n${script}</script>`}
</body>
</html>
`
}

/** The page a preview shows to someone who may not see it. `again` is its address without the token that was not accepted. */
export function renderRefusalPage({ nonce, again }: { nonce: string; again: string }): string {
  const title = 'You do not have access to this preview'
  const body = `<h1>${title}</h1>
<p>It is private, or the link to it has expired. Nothing is lost.</p>
<p><a href="${escapeHtml(again)}">Open it with your account</a>, or ask its owner to share it with you.</p>
`
  return renderDocument({ title, nonce, body, script: '' })
}

/** The page a preview shows when there is nothing to show. It comes back by itself as soon as the port answers. */
export function renderPreviewPage(page: PreviewPage): string {
  const body = `<div id="state" aria-live="polite">${renderState(page)}</div>
<p><a href="${escapeHtml(page.editorUrl)}" target="_top">Open in the editor</a></p>
`
  const script = `const port = ${page.port}
const state = document.getElementById('state')
let shown = null
let wasUp = ${page.status !== null}
document.addEventListener('click', async ({ target }) => {
  const id = target.dataset && target.dataset.run
  if (!id) return
  target.disabled = true
  target.textContent = 'Starting'
  const answer = await fetch('${RUN_PATH}' + encodeURIComponent(id), { method: 'POST' }).catch(() => null)
  // The task may fail again with the same words: what the next look says is shown in any case.
  if (answer && answer.ok) return void (shown = null)
  target.disabled = false
  target.textContent = 'It did not start. Try again'
})
async function look() {
  try {
    const answer = await fetch('${STATUS_PATH}', { cache: 'no-store' })
    if (answer.ok) {
      const status = await answer.json()
      if (status.ports.includes(port)) return location.reload()
      // Why a box did not come up stays on the page.
      if ((status.up || wasUp) && status.html !== shown) {
        shown = status.html
        state.innerHTML = status.html
        document.title = status.title
      }
      wasUp = wasUp || status.up
    }
  } catch { /* The server is away for a moment; the next look tells. */ }
  setTimeout(look, 1000)
}
look()
`
  return renderDocument({ title: page.words.headline, nonce: page.nonce, body, script })
}

/** The changing part of the page, also for the status request. */
export function renderState(page: PreviewPage): string {
  const { headline, advice } = page.words
  return `<h1>${escapeHtml(headline)}</h1><p>${escapeHtml(advice)}</p>${tasks(page)}`
}
