import type { GraphQLField } from 'graphql'
import type { Queryable } from '../database/database.ts'
import type { PlatformEvent } from './platformEvent.ts'

/** Stands for every subject of a kind: `team:*`. */
export const EVERY = '*'

/** What someone wants to follow, or is about to be told. */
export interface LiveQuestion<Args> {
  /** That of an event, or of the subscription itself. */
  subject: string
  args: Args
  /** The data of an event; absent when it is about following at all. */
  data?: unknown
}

/** How a field of the subscription type is fed. The field's resolver gets the event's data as its parent. */
export interface LiveField<Args = Record<string, unknown>> {
  /** The type of the events that it passes on. */
  type: string
  subject(args: Args): string
  /** Whether this event is meant, where the subject does not say all. */
  accepts?(args: Args, data: unknown): boolean
  /** Which of these people may follow the subject at this moment. */
  allowed(database: Queryable, userIds: readonly string[], question: LiveQuestion<Args>): Promise<ReadonlySet<string>>
}

declare module 'graphql' {
  // The parameters have to be exactly those of the interface that is extended.
  // oxlint-disable-next-line typescript/no-explicit-any, no-unused-vars
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs = any> {
    live?: LiveField
  }
}

/** What feeds a field of the subscription type. */
export function liveFieldOf(field: GraphQLField<unknown, unknown>): LiveField {
  const { live } = field.extensions
  if (!live) throw new Error(`Nothing says which events ${field.name} passes on`)
  return live
}

/** The options of a field that passes events on. Its resolver gets the data of each as its parent. */
export function feed<Args, Data>(live: LiveField<Args>) {
  return {
    extensions: { live: live as unknown as LiveField },
    subscribe: (): AsyncIterable<Data> => {
      throw new Error('Subscriptions are fed by the events of the platform, not by their fields')
    },
  }
}

/** The subjects that someone who waits for this event may have named. */
export function subjectsOf({ subject }: Pick<PlatformEvent, 'subject'>): readonly string[] {
  return [subject, `${subject.slice(0, subject.indexOf(':'))}:${EVERY}`]
}
