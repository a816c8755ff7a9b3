import { Emitter, type ShellSession, type ShellsArea } from '@boxyard/dev-server-client'
import { DEV_CONTAINER_LOG_SIZE, type SetupStep } from '@boxyard/protocol'

/** Characters that are kept of each step; what came before them is left out. */
const MOST_KEPT = 1_000_000

/** What the steps that make a dev container write, one after the other, as a terminal shows it. */
export class DevContainerLog {
  readonly #shells: Pick<ShellsArea, 'open'>
  readonly #parts: { text: string }[] = []
  readonly #followed = new Set<string>()
  readonly #sessions: ShellSession[] = []
  readonly #writes = new Emitter<string>()
  /** What came to the end of it. */
  readonly onDidWrite = this.#writes.event
  readonly #resets = new Emitter<void>()
  /** It is another text now. */
  readonly onDidReset = this.#resets.event
  #turn: Promise<void> = Promise.resolve()

  constructor(shells: Pick<ShellsArea, 'open'>) {
    this.#shells = shells
  }

  get text(): string {
    return this.#parts.map(({ text }) => text).join('')
  }

  /** Shows the shells of these steps that it does not show yet, behind what it shows. */
  follow(steps: readonly SetupStep[]): void {
    for (const { name, shellId } of steps) {
      if (shellId === null || this.#followed.has(shellId)) continue
      this.#followed.add(shellId)
      this.#turn = this.#turn.then(() => this.#open(name, shellId))
    }
  }

  /** Writes a word of ours, behind what the steps of before it have written so far. */
  say(text: string): void {
    this.#turn = this.#turn.then(() => this.#write(this.#begin(), `\r\n${text}\r\n`))
  }

  dispose(): void {
    for (const session of this.#sessions) session.dispose()
  }

  async #open(name: string, shellId: string): Promise<void> {
    this.#write(this.#begin(), `\x1b[1m${name}\x1b[0m\r\n`)
    const part = this.#begin()
    let session: ShellSession
    try {
      session = await this.#shells.open(shellId, DEV_CONTAINER_LOG_SIZE)
    } catch (error) {
      // A step that ran again meanwhile has another shell, which follows.
      const why = error instanceof Error ? error.message : String(error)
      this.#write(part, `\x1b[2mIts output is not there: ${why}\x1b[0m\r\n`)
      return
    }
    this.#sessions.push(session)
    session.onReset(() => {
      part.text = ''
      this.#resets.fire()
    })
    session.onData((output) => this.#write(part, output))
  }

  #begin(): { text: string } {
    const part = { text: '' }
    this.#parts.push(part)
    return part
  }

  #write(part: { text: string }, text: string): void {
    part.text = (part.text + text).slice(-MOST_KEPT)
    if (part === this.#parts.at(-1)) this.#writes.fire(text)
    // An earlier step writes on only where its scrollback came anew.
    else this.#resets.fire()
  }
}
