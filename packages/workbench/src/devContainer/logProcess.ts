import { ProcessPropertyType } from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'
import { DEV_CONTAINER_LOG_SIZE } from '@boxyard/protocol'
import { TextProcess } from '../terminal/textProcess.ts'
import type { DevContainerLog } from './DevContainerLog.ts'

export const DEV_CONTAINER_LOG = 'Dev container log'
/** Resets the terminal. */
const CLEAR = '\x1bc'

/** What stands in the terminal of the log. Its size is nobody's to change: others look at the same shells. */
export class LogProcess extends TextProcess {
  readonly #log: Pick<DevContainerLog, 'text' | 'onDidWrite' | 'onDidReset'>

  constructor(log: Pick<DevContainerLog, 'text' | 'onDidWrite' | 'onDidReset'>, cwd: string) {
    super({ id: 0, title: DEV_CONTAINER_LOG, cwd })
    this.#log = log
  }

  protected begin(): void {
    // Where less fits than the programs have, lines break at what fits.
    this.tell({
      type: ProcessPropertyType.OverrideDimensions,
      value: { ...DEV_CONTAINER_LOG_SIZE, forceExactSize: false },
    })
    this.write(this.#log.text)
    this._register(this.#log.onDidWrite((text) => this.write(text)))
    this._register(this.#log.onDidReset(() => this.write(`${CLEAR}${this.#log.text}`)))
  }

  override shutdown(): void {
    this.end()
    super.shutdown()
  }
}
