import { ClipboardAddon } from '@xterm/addon-clipboard'
import { getService, INotificationService } from '@codingame/monaco-vscode-api'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { report } from '../status/report.ts'
import { clipboardRequest, MAX_COPIED } from './clipboardRequest.ts'

type Terminal = Parameters<ClipboardAddon['activate']>[0]
/** The sequence by which programs use the clipboard. */
const OSC_CLIPBOARD = 52

/**
 * Takes the place of what the terminal's own addon does with the clipboard: programs may copy, and never read. What runs in a terminal that nobody is in
 * copies only when the person agrees. Call before the first terminal is made.
 */
export function limitTerminalClipboard(): void {
  const handlers = new WeakMap<ClipboardAddon, { dispose(): void }>()
  ClipboardAddon.prototype.activate = function (terminal: Terminal): void {
    const handler = terminal.parser.registerOscHandler(OSC_CLIPBOARD, (data) => {
      answer(terminal, data)
      return true
    })
    handlers.set(this, handler)
  }
  ClipboardAddon.prototype.dispose = function (): void {
    handlers.get(this)?.dispose()
  }
}

function answer(terminal: Terminal, data: string): void {
  const request = clipboardRequest(data)
  if (request.kind === 'nothing') return
  const failed = (error: unknown) => report('A text of the terminal was not copied', error)
  if (request.kind === 'too-long') {
    failed(new Error(`it has more than ${MAX_COPIED} characters. Save it to a file, and open that`))
    return
  }
  const { text } = request
  const isInIt = terminal.element?.contains(document.activeElement) === true && document.hasFocus()
  if (!isInIt) return void ask(text, failed).catch(failed)
  // A browser that takes no text without a click gets one.
  write(text).catch(() => ask(text, failed).catch(failed))
}

// Where the page is not on a safe origin there is none, which is a failure like others.
const write = async (text: string): Promise<void> => navigator.clipboard.writeText(text)

async function ask(text: string, failed: (error: unknown) => void): Promise<void> {
  const notifications = await getService(INotificationService)
  const begin = text.length > 40 ? `${text.slice(0, 40)}…` : text
  notifications.prompt(Severity.Info, `A program in a terminal wants to copy: ${begin}`, [
    { label: 'Copy', run: () => void write(text).catch(failed) },
  ])
}
