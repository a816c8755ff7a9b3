import { join } from 'node:path'
import { BareRepository } from '../git/bareRepository.ts'
import type { Signature } from '../git/commits.ts'
import { KeyedQueue } from '../repositories/keyedQueue.ts'
import type { RepositoryRecord } from '../repositories/records.ts'
import type { RepositoryStorage } from '../repositories/repositoryStorage.ts'
import type { GitAccount } from '../storage.ts'

export interface HostPartsOptions {
  storage: RepositoryStorage
  /** The folder of the bare repositories. */
  folder: string
  /** Where browsers find the git host, without a trailing slash. */
  publicUrl: string
  now?: () => Date
  /** Told that there is something to deliver. */
  onDelivery?: () => void
}

/** What everything that works on repositories of the local git host shares. */
export class HostParts {
  readonly storage: RepositoryStorage
  readonly publicUrl: string
  readonly apiUrl: string
  readonly now: () => Date
  /** Changes of one repository and its records go one after the other. */
  readonly queue = new KeyedQueue()
  readonly onDelivery: () => void
  readonly #folder: string

  constructor(options: HostPartsOptions) {
    this.storage = options.storage
    this.publicUrl = options.publicUrl
    this.apiUrl = `${options.publicUrl}/api/v3`
    this.now = options.now ?? (() => new Date())
    this.onDelivery = options.onDelivery ?? (() => undefined)
    this.#folder = options.folder
  }

  /** Folders are called by id: no name that somebody chose is ever part of a path on the host. */
  gitOf({ id }: Pick<RepositoryRecord, 'id'>): BareRepository {
    return new BareRepository(join(this.#folder, `${id}.git`))
  }

  signatureOf(account: GitAccount): Signature {
    return { name: account.name ?? account.login, email: account.email, date: this.now() }
  }
}
