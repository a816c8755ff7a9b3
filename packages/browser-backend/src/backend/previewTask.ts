import type { CommandShell, OpenShell, Port, Task, TaskList } from '@boxyard/protocol'
import { PREVIEW_PORT } from '../common/previewPort.ts'
import type { EngineStatus } from '../compile/engine.ts'

export const PREVIEW_SHELL = 'preview'
/** Not a name that scripts of package.json have, which are tasks as well. */
export const PREVIEW_TASK = 'browser:preview'
const MAX_OUTPUT = 200_000

/** The preview as a task: its output is what the engine does and what the page says, and its port is open. */
export class PreviewTask {
  #port: Port
  readonly #onOutput: (out: string) => void
  #output = ''

  constructor(host: string, onOutput: (out: string) => void) {
    this.#port = { port: PREVIEW_PORT, url: host }
    this.#onOutput = onOutput
  }

  get port(): Port {
    return this.#port
  }

  /** The page is at another host from now on. */
  moveTo(host: string): void {
    this.#port = { port: PREVIEW_PORT, url: host }
  }

  get shell(): CommandShell {
    return { shellId: PREVIEW_SHELL, name: 'Preview', status: 'RUNNING', shellType: 'COMMAND', startCommand: 'preview' }
  }

  get openShell(): OpenShell {
    return { ...this.shell, buffer: this.#output === '' ? [] : [this.#output] }
  }

  list(): TaskList {
    return { tasks: { [PREVIEW_TASK]: this.task }, setupTasks: [], validationErrors: [] }
  }

  get task(): Task {
    return {
      id: PREVIEW_TASK,
      name: 'Preview',
      command: 'preview',
      runAtStart: true,
      preview: { port: PREVIEW_PORT },
      shell: this.shell,
      ports: [this.port],
    }
  }

  /** What has changed the dependencies; it is done when it is answered. */
  dependencyTask(command: string): Task {
    const shell: CommandShell = { ...this.shell, name: command, status: 'FINISHED', startCommand: command }
    return { id: 'browser:dependency', name: command, command, unconfigured: true, shell, ports: [] }
  }

  write(text: string): void {
    const out = `${text.replaceAll('\n', '\r\n')}\r\n`
    this.#output = (this.#output + out).slice(-MAX_OUTPUT)
    this.#onOutput(out)
  }

  tell(status: EngineStatus): void {
    switch (status.kind) {
      case 'packing':
        return this.write(`\u001b[2mGetting ${status.specifiers.length} imports of packages ready\u001b[0m`)
      case 'ready':
        return this.write(
          `\u001b[32mReady\u001b[0m, ${status.modules} modules in ${Math.round(status.milliseconds)} ms`,
        )
      case 'updated':
        return this.write(
          `\u001b[2mUpdated ${status.paths.map((path) => path.slice(1)).join(', ')} in ${Math.round(status.milliseconds)} ms\u001b[0m`,
        )
      case 'notice':
        return this.write(`\u001b[33m${status.text}\u001b[0m`)
      case 'problem': {
        const { message, file, line } = status.problem
        return this.write(
          `\u001b[31m${message}\u001b[0m${file === null ? '' : ` (${file.slice(1)}${line === null ? '' : `:${line}`})`}`,
        )
      }
    }
  }
}
