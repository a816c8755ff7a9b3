import type { GraphqlAnswer } from '../graphql/executor.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import type { PreparedDocument } from '../graphql/preparedDocument.ts'
import type { User } from '../accounts/users.ts'
import { findUsers } from '../accounts/users.ts'
import type { Database } from '../database/database.ts'
import { subjectsOf } from './liveField.ts'
import type { LiveField } from './liveField.ts'
import { ACCESS_CHANGED, subjectOf } from './platformEvent.ts'
import type { PlatformEvent } from './platformEvent.ts'

/** One accepted subscription of one client. */
export interface LiveSubscription {
  userId: string
  field: LiveField
  args: Record<string, unknown>
  document: PreparedDocument
  variables: Record<string, unknown>
  deliver(resultJson: string): void
  /** The last word: the person may no longer follow this. */
  end(resultJson: string): void
}

const ENDED = JSON.stringify({
  errors: [{ message: 'You are not allowed to follow this any longer', extensions: { code: 'FORBIDDEN' } }],
})

export interface LiveSubscriptionsOptions {
  database: Database
  createContext: (user: User | null) => GraphqlContext
}

/** Members of a context that are the same whoever asks. A resolver that reads another one makes the result personal. */
const sameForAll: ReadonlySet<PropertyKey> = new Set(['database', 'templates', 'machines', 'server', 'peopleAtHand'])

/** The subscriptions of this process. Gets each event, looks who may receive it at that moment, and sends each their result. */
export class LiveSubscriptions {
  readonly #options: LiveSubscriptionsOptions
  readonly #byKey = new Map<string, Set<LiveSubscription>>()

  constructor(options: LiveSubscriptionsOptions) {
    this.#options = options
  }

  /** Whether the person may follow what they ask for. */
  async mayFollow({ userId, field, args }: Pick<LiveSubscription, 'userId' | 'field' | 'args'>): Promise<boolean> {
    const allowed = await field.allowed(this.#options.database, [userId], { subject: field.subject(args), args })
    return allowed.has(userId)
  }

  /** From now on events are delivered, until the returned function is called. */
  add(subscription: LiveSubscription): () => void {
    const { field, args } = subscription
    const key = keyOf(field.type, field.subject(args))
    put(this.#byKey, key, subscription)
    return () => {
      take(this.#byKey, key, subscription)
    }
  }

  /** Passes an event on to those who follow it. */
  async handle(event: PlatformEvent): Promise<void> {
    if (event.type === ACCESS_CHANGED) return this.#review(event.subject)
    const following = subjectsOf(event)
      .flatMap((subject) => [...(this.#byKey.get(keyOf(event.type, subject)) ?? [])])
      .filter(({ field, args }) => field.accepts?.(args, event.data) ?? true)
    if (following.length === 0) return
    const { database } = this.#options
    const [found, allowed] = await Promise.all([
      findUsers(database, [...new Set(following.map(({ userId }) => userId))]),
      this.#allowed(following, event),
    ])
    const users = new Map(found.map((user) => [user.id, user]))
    const alike = groupBy(following, ({ document, variables }) => `${document.id}\n${JSON.stringify(variables)}`)
    const deliveries = [...alike.values()].map(async (group) => {
      const [first, ...others] = group.filter((one) => allowed.has(one) && users.has(one.userId))
      if (!first) return
      const { json, personal } = await this.#result(first, users.get(first.userId)!, event)
      // Nothing to say: what it tells of is gone again.
      if (json === null) return
      first.deliver(json)
      for (const other of others) {
        const own = personal ? (await this.#result(other, users.get(other.userId)!, event)).json : json
        if (own !== null) other.deliver(own)
      }
    })
    await Promise.all(deliveries)
    for (const subscription of following) {
      const { field, args } = subscription
      // Someone who follows every subject of a kind is passed over; someone who follows just this one has nothing left.
      if (!allowed.has(subscription) && field.subject(args) === event.subject) this.#end(subscription)
    }
  }

  /** Ends the subscriptions that a change of rights took away. */
  async #review(subject: string): Promise<void> {
    const affected = this.#affectedBy(subject)
    const bySubject = groupBy(affected, ({ field, args }) => field.subject(args))
    for (const [own, subscriptions] of bySubject) {
      const allowed = await this.#allowed(subscriptions, { subject: own })
      for (const subscription of subscriptions) if (!allowed.has(subscription)) this.#end(subscription)
    }
  }

  #affectedBy(subject: string): LiveSubscription[] {
    const all = [...this.#byKey.values()].flatMap((subscriptions) => [...subscriptions])
    // What belongs to a workspace is not known here, so a change to the whole workspace has everything looked at.
    if (subject.startsWith(subjectOf.team(''))) return all
    return all.filter(
      ({ userId, field, args }) => subject === subjectOf.user(userId) || subject === field.subject(args),
    )
  }

  /** Asks once for all who ask the same of the same field. */
  async #allowed(
    subscriptions: readonly LiveSubscription[],
    { subject, data }: { subject: string; data?: unknown },
  ): Promise<ReadonlySet<LiveSubscription>> {
    const allowed = new Set<LiveSubscription>()
    for (const [field, ofField] of groupBy(subscriptions, (subscription) => subscription.field)) {
      for (const group of groupBy(ofField, ({ args }) => JSON.stringify(args)).values()) {
        const userIds = [...new Set(group.map(({ userId }) => userId))]
        const people = await field.allowed(this.#options.database, userIds, { subject, args: group[0]!.args, data })
        for (const subscription of group) if (people.has(subscription.userId)) allowed.add(subscription)
      }
    }
    return allowed
  }

  /** What one person gets, and whether it could be something else for another person. */
  async #result(
    { document, variables }: LiveSubscription,
    user: User,
    event: PlatformEvent,
  ): Promise<{ json: string | null; personal: boolean }> {
    let personal = false
    const context = new Proxy(this.#options.createContext(user), {
      get(own, name) {
        if (!sameForAll.has(name)) personal = true
        return Reflect.get(own, name)
      },
    })
    const result = await document.run(event.data, context, variables)
    return { json: isGone(result) ? null : JSON.stringify(result), personal }
  }

  #end(subscription: LiveSubscription): void {
    take(this.#byKey, keyOf(subscription.field.type, subscription.field.subject(subscription.args)), subscription)
    subscription.end(ENDED)
  }
}

/** Whether all that came of an event is that its object does not exist any more. */
function isGone({ data, errors }: GraphqlAnswer): boolean {
  return !data && (errors ?? []).some(({ extensions }) => extensions?.['code'] === 'NOT_FOUND')
}

function keyOf(type: string, subject: string): string {
  return `${type}\n${subject}`
}

function put<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

function take<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key)
  set?.delete(value)
  if (set?.size === 0) sets.delete(key)
}

function groupBy<K, T>(values: readonly T[], keyOfValue: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const value of values) {
    const key = keyOfValue(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}
