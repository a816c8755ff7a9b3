import { createHash, randomUUID } from 'node:crypto'
import { GraphQLError, OperationTypeNode } from 'graphql'
import { z } from 'zod'
import { findUser } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import type { Database } from '../database/database.ts'
import { liveFieldOf } from '../events/liveField.ts'
import type { LiveSubscriptions } from '../events/liveSubscriptions.ts'
import type { GraphqlExecutor } from '../graphql/executor.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { followedField } from '../graphql/preparedDocument.ts'
import type { PreparedDocument } from '../graphql/preparedDocument.ts'
import type { Channel, ChannelConnection, ChannelKind, ChannelReply } from './channel.ts'

export const CONTROL_TOPIC = '__absinthe__:control'

const MOST_SUBSCRIPTIONS = 500

const documentSchema = z.object({ query: z.string(), variables: z.unknown().optional() })
const variablesSchema = z.record(z.string(), z.unknown()).nullish()
const unsubscribeSchema = z.object({ subscriptionId: z.string() })

export interface ControlChannelOptions {
  database: Database
  executor: GraphqlExecutor
  subscriptions: LiveSubscriptions
  createContext: (user: User | null) => GraphqlContext
}

/** The channel on which clients send documents: queries and mutations are answered, subscriptions are followed. */
export function controlChannels(options: ControlChannelOptions): ChannelKind {
  return (topic, connection) =>
    topic === CONTROL_TOPIC ? Promise.resolve({ channel: new ControlChannel(options, connection), response: {} }) : null
}

class ControlChannel implements Channel {
  readonly #options: ControlChannelOptions
  readonly #connection: ChannelConnection
  readonly #stops = new Map<string, () => void>()
  #closed = false

  constructor(options: ControlChannelOptions, connection: ChannelConnection) {
    this.#options = options
    this.#connection = connection
  }

  async receive(event: string, payload: unknown): Promise<ChannelReply | null> {
    if (event === 'doc') return this.#document(payload)
    if (event === 'unsubscribe') return this.#unsubscribe(payload)
    return { status: 'error', response: { reason: 'unknown event' } }
  }

  close(): void {
    this.#closed = true
    for (const stop of this.#stops.values()) stop()
    this.#stops.clear()
  }

  async #document(payload: unknown): Promise<ChannelReply> {
    const request = documentSchema.safeParse(payload)
    if (!request.success) return rejected('A document needs a query')
    const variables = variablesSchema.safeParse(request.data.variables)
    if (!variables.success) return { status: 'error', response: { error: 'Could not parse variables as map' } }
    const prepared = this.#options.executor.prepare(request.data.query)
    if ('errors' in prepared) return { status: 'error', response: prepared }
    if (prepared.operation.operation === OperationTypeNode.SUBSCRIPTION) {
      return this.#subscribe(prepared, variables.data ?? {})
    }
    const user = await findUser(this.#options.database, this.#connection.userId)
    const answer = await prepared.run({}, this.#options.createContext(user), variables.data ?? {})
    return { status: answer.data === undefined ? 'error' : 'ok', response: answer }
  }

  async #subscribe(document: PreparedDocument, variables: Record<string, unknown>): Promise<ChannelReply> {
    if (this.#stops.size >= MOST_SUBSCRIPTIONS) return rejected('There are too many subscriptions on this connection')
    const { subscriptions, executor } = this.#options
    const { userId } = this.#connection
    let followed: ReturnType<typeof followedField>
    try {
      followed = followedField(executor.schema, document, variables)
    } catch (error) {
      if (error instanceof GraphQLError) return rejected(error.message)
      throw error
    }
    const field = liveFieldOf(followed.field)
    const following = { userId, field, args: followed.args }
    if (!(await subscriptions.mayFollow(following))) {
      return rejected('This is not found, or you are not allowed to follow it')
    }
    const id = subscriptionId(document, variables)
    const deliver = (json: string) => this.#connection.pushSubscriptionData(id, json)
    // A client knows the id from the answer, so nothing may be sent before it.
    const afterwards = () => {
      if (this.#closed) return
      const stop = subscriptions.add({
        ...following,
        document,
        variables,
        deliver,
        end: (json) => {
          this.#stops.delete(id)
          deliver(json)
        },
      })
      this.#stops.set(id, stop)
    }
    return { status: 'ok', response: { subscriptionId: id }, afterwards }
  }

  #unsubscribe(payload: unknown): ChannelReply {
    const request = unsubscribeSchema.safeParse(payload)
    if (!request.success) return rejected('An unsubscribe needs a subscriptionId')
    const { subscriptionId: id } = request.data
    this.#stops.get(id)?.()
    this.#stops.delete(id)
    return { status: 'ok', response: { subscriptionId: id } }
  }
}

function rejected(message: string): ChannelReply {
  return { status: 'error', response: { errors: [{ message }] } }
}

/** Unique for each subscription, in the form that other servers of this protocol use. */
function subscriptionId({ id }: PreparedDocument, variables: Record<string, unknown>): string {
  const hash = createHash('sha256')
    .update(`${id}\n${JSON.stringify(variables)}`)
    .digest('hex')
    .toUpperCase()
  return `__absinthe__:doc:${randomUUID()}:${hash}`
}
