import { TextProcess } from './textProcess.ts'

export const READONLY_TERMINAL = 'This terminal is readonly, fork this devbox/branch to create new terminals.'
/** Of a title of a process the workbench takes the first word. */
export const READONLY_NAME = 'Read-only'

/** What a person who may make no shell gets instead of one: it says so, and takes nothing. */
export class ReadonlyProcess extends TextProcess {
  constructor(id: number, cwd: string) {
    super({ id, title: READONLY_NAME, cwd })
  }

  protected begin(): void {
    this.write(`${READONLY_TERMINAL}\r\n`)
  }
}
