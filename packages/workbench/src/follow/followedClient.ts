import { Emitter } from '@boxyard/dev-server-client'
import type { Following } from './following.ts'

/** Who is followed, before and after the code that follows is there: a click that comes before is kept. */
export class FollowedClient {
  readonly #changes = new Emitter<string | undefined>()
  readonly onDidChange = this.#changes.event
  #following: Following | undefined
  #wanted: string | undefined

  get clientId(): string | undefined {
    return this.#following ? this.#following.clientId : this.#wanted
  }

  begin(following: Following): void {
    this.#following = following
    following.onDidChange((clientId) => this.#changes.fire(clientId))
    if (this.#wanted !== undefined) following.follow(this.#wanted)
  }

  toggle(clientId: string): void {
    if (this.#following) return this.#following.toggle(clientId)
    this.#wanted = this.#wanted === clientId ? undefined : clientId
    this.#changes.fire(this.#wanted)
  }
}
