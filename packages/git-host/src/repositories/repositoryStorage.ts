import type { GitAccount } from '../storage.ts'
import type {
  CheckRunRecord,
  CollaboratorRecord,
  DeliveryRecord,
  HookRecord,
  IssueCommentRecord,
  MembershipRecord,
  OrganizationRecord,
  ProtectionRecord,
  PullRecord,
  RepositoryRecord,
  ReviewCommentRecord,
  ReviewRecord,
  ReviewRequestRecord,
  StatusRecord,
} from './records.ts'

/** Members that have to be equal, or one of several. */
export type Where<T> = { [K in keyof T]?: T[K] | readonly T[K][] }

export interface Order<T> {
  by?: keyof T & string
  descending?: boolean
  limit?: number
  offset?: number
}

/** Members that have a value of their own when none is given. */
export type New<T> = Omit<T, 'id'>

export interface Records<T extends { id: number }> {
  /** By id unless `order` says otherwise. */
  find(where: Where<T>, order?: Order<T>): Promise<T[]>
  count(where: Where<T>): Promise<number>
  /** Throws DuplicateRecord when a record with the same unique members exists. */
  insert(record: New<T>): Promise<T>
  /** Answers with the changed records. */
  update(where: Where<T>, change: Partial<New<T>>): Promise<T[]>
  remove(where: Where<T>): Promise<number>
}

export class DuplicateRecord extends Error {
  constructor() {
    super('Such a record exists already')
    this.name = 'DuplicateRecord'
  }
}

/** Where the local git host keeps its repositories' records. */
export interface RepositoryStorage {
  repositories: Records<RepositoryRecord>
  organizations: Records<OrganizationRecord>
  memberships: Records<MembershipRecord>
  collaborators: Records<CollaboratorRecord>
  pulls: Records<PullRecord>
  reviews: Records<ReviewRecord>
  reviewComments: Records<ReviewCommentRecord>
  issueComments: Records<IssueCommentRecord>
  reviewRequests: Records<ReviewRequestRecord>
  statuses: Records<StatusRecord>
  checkRuns: Records<CheckRunRecord>
  protections: Records<ProtectionRecord>
  hooks: Records<HookRecord>
  deliveries: Records<DeliveryRecord>
  findAccount(login: string): Promise<GitAccount | null>
  findAccounts(ids: readonly number[]): Promise<GitAccount[]>
  /** All of it or nothing. */
  transaction<T>(work: (storage: RepositoryStorage) => Promise<T>): Promise<T>
  /** Takes the next number of a pull request. Two callers never get the same. */
  takeNumber(repositoryId: number): Promise<number>
  /** Deliveries that are due, soonest first; they are put off until `until`, so that no other process takes them. */
  takeDeliveries(now: Date, until: Date, limit: number): Promise<DeliveryRecord[]>
}
