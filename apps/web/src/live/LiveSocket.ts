import { Socket } from 'phoenix'
import type { Channel } from 'phoenix'
import { z } from 'zod'
import type { RestClient } from '../api/RestClient.ts'

const CONTROL = '__absinthe__:control'
const accepted = z.object({ subscriptionId: z.string() })
const told = z.object({
  event: z.literal('subscription:data'),
  payload: z.object({ subscriptionId: z.string(), result: z.object({ data: z.unknown() }) }),
})

export interface Subscription {
  document: string
  variables: Record<string, unknown>
  /** Something happened; `data` is what the document asks for. */
  onEvent(data: unknown): void
  /** It is followed from now on: what happened before was not told. Called again after every loss of the connection. */
  onFollowed?(): void
}

interface Following {
  subscription: Subscription
  id: string | undefined
}

/** Follows the platform's events on one socket, opened with the first subscription and closed after the last. */
export class LiveSocket {
  readonly #rest: Pick<RestClient, 'get'>
  readonly #place: { address: string; transport?: typeof WebSocket }
  readonly #followings = new Set<Following>()
  #token = ''
  #socket: Socket | undefined
  #control: Channel | undefined

  /** A path becomes an address of the page's own host. */
  constructor(
    rest: Pick<RestClient, 'get'>,
    place: { address: string; transport?: typeof WebSocket } = { address: '/socket' },
  ) {
    this.#rest = rest
    this.#place = place
  }

  /** The answer ends it. */
  follow(subscription: Subscription): () => void {
    const following: Following = { subscription, id: undefined }
    this.#followings.add(following)
    if (this.#control) this.#ask(following)
    else this.#open()
    return () => this.#leave(following)
  }

  #open(): void {
    if (this.#socket) return
    const { address, transport } = this.#place
    const socket = new Socket(address, {
      params: () => ({ guardian_token: this.#token }),
      heartbeatIntervalMs: 10_000,
      ...(transport && { transport }),
    })
    this.#socket = socket
    // The token may be too old by the next try, and the library asks for it without waiting.
    socket.onError(() => void this.#renew())
    socket.onMessage((message) => this.#deliver(message))
    void this.#renew().then(() => {
      if (this.#socket !== socket) return
      socket.connect()
      const control = socket.channel(CONTROL)
      // Heard again whenever the channel was joined again, and every subscription of before is gone then.
      control.join().receive('ok', () => {
        this.#control = control
        for (const following of this.#followings) this.#ask(following)
      })
    })
  }

  /** Without a token nothing is live; pages ask again by themselves, only later. */
  async #renew(): Promise<void> {
    try {
      this.#token = (await this.#rest.get('/auth/jwt', { schema: z.object({ jwt: z.string() }) })).jwt
    } catch (error) {
      console.warn('Events can not be followed at the moment', error)
    }
  }

  #ask(following: Following): void {
    const { document, variables } = following.subscription
    following.id = undefined
    this.#control
      ?.push('doc', { query: document, variables })
      .receive('ok', (answer: unknown) => {
        const parsed = accepted.safeParse(answer)
        if (!parsed.success) return
        following.id = parsed.data.subscriptionId
        if (this.#followings.has(following)) following.subscription.onFollowed?.()
        else this.#unsubscribe(following.id)
      })
      .receive('error', (answer: unknown) => console.warn('These events may not be followed', document, answer))
  }

  /** Every frame of the socket comes by here; most are answers. */
  #deliver(message: object): void {
    const parsed = told.safeParse(message)
    if (!parsed.success) return
    const { subscriptionId, result } = parsed.data.payload
    for (const { id, subscription } of this.#followings) if (id === subscriptionId) subscription.onEvent(result.data)
  }

  #leave(following: Following): void {
    if (!this.#followings.delete(following)) return
    if (following.id !== undefined) this.#unsubscribe(following.id)
    if (this.#followings.size > 0) return
    this.#socket?.disconnect()
    this.#socket = undefined
    this.#control = undefined
  }

  #unsubscribe(subscriptionId: string): void {
    this.#control?.push('unsubscribe', { subscriptionId })
  }
}
