import type { GitStatus } from '@boxyard/protocol'
import { isRepository } from './gitChanges.ts'

export interface MadeRepository {
  provider: { clear(): void }
  repository: { readonly input: { readonly value: string }; dispose(): void }
}

/** The repository as source control shows it, with the message that somebody writes there: that is lost neither with a connection nor with the repository. */
export class ShownRepository<Made extends MadeRepository> {
  readonly #make: (message: string) => Made
  #made: Made | undefined
  #message = ''

  /** `message` is what stands in the field from the beginning. */
  constructor(make: (message: string) => Made) {
    this.#make = make
  }

  get made(): Made | undefined {
    return this.#made
  }

  /** What is to be shown of this status; undefined when there is no repository, or nothing is known of it. */
  at(status: GitStatus | undefined): Made | undefined {
    if (isRepository(status)) return (this.#made ??= this.#make(this.#message))
    // A connection that tells nothing of a repository is no reason to take away where somebody writes; the next one may.
    if (status === undefined) this.#made?.provider.clear()
    else {
      this.#message = this.#made?.repository.input.value ?? this.#message
      this.#made?.repository.dispose()
      this.#made = undefined
    }
    return undefined
  }
}
