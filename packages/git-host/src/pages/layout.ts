import { html, Html } from './html.ts'

const style = new Html(`
:root { color-scheme: dark light;
  --ground: #0e0f11; --panel: #15171a; --line: #2a2e34; --strong: #3b4048; --text: #e8eaed; --quiet: #a7adb6;
  --accent: #f2a33a; --on-accent: #17130b; --link: #6cb2ff; --error: #f2555a }
@media (prefers-color-scheme: light) { :root {
  --ground: #ffffff; --panel: #f6f7f8; --line: #e1e4e8; --strong: #c9ced4; --text: #17191c; --quiet: #50565e;
  --accent: #9a5b00; --on-accent: #ffffff; --link: #0b62c4; --error: #c62a2f } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px;
  background: var(--ground); color: var(--text); font: 13px/20px 'Inter Variable', Inter, system-ui, sans-serif }
main { width: 100%; max-width: 360px; padding: 24px; background: var(--panel); border: 1px solid var(--line); border-radius: 10px }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 28px; font-weight: 600 }
h2 { margin: 24px 0 4px; font-size: 14px; font-weight: 600 }
p { margin: 0 0 16px; color: var(--quiet) }
label { display: block; margin: 12px 0 4px; font-weight: 500 }
input { width: 100%; height: 32px; padding: 0 8px; margin: 0; font: inherit; color: var(--text);
  background: var(--ground); border: 1px solid var(--strong); border-radius: 4px }
input[aria-invalid='true'] { border-color: var(--error) }
.hint { margin: 4px 0 0; color: var(--quiet); font-size: 12px; line-height: 16px }
.problem { margin: 4px 0 0; color: var(--error); font-size: 12px; line-height: 16px }
.notice { margin: 0 0 16px; padding: 8px 12px; border: 1px solid var(--error); border-radius: 4px; color: var(--text) }
.notice strong { display: block; font-weight: 600 }
button { width: 100%; height: 32px; margin: 16px 0 0; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: 4px }
button.quiet { color: var(--text); background: transparent; border-color: var(--strong) }
a { color: var(--link) }
code { overflow-wrap: anywhere; font: 12px/16px 'JetBrains Mono Variable', ui-monospace, monospace }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
footer { margin: 16px 0 0; color: var(--quiet) }
`)

/** A whole page. Works without scripts; its one style sheet carries the nonce of the answer's policy. */
export function page(options: { title: string; hostName: string; nonce: string; body: Html }): string {
  return (
    '<!doctype html>' +
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${options.title} · ${options.hostName}</title>
        <style nonce="${options.nonce}">
          ${style}
        </style>
      </head>
      <body>
        <main>${options.body}</main>
      </body>
    </html>`.text
  )
}
