import { Pool } from 'pg'
import type { PoolClient } from 'pg'

type Callback = (error: Error | undefined, client: PoolClient | undefined, release: (broken?: unknown) => void) => void

/**
 * A pool that takes back by itself a connection that ends while somebody has it. Whoever has it may still give it back, or forget it, as the
 * query layer does with a connection on which a transaction could not begin: each of those would take a place of the pool for good.
 */
export class SelfReleasingPool extends Pool {
  override connect(): Promise<PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<PoolClient> | void {
    if (callback) {
      return super.connect((error, client, release) => callback(error, client, client ? watch(client) : release))
    }
    return new Promise((resolve, reject) => {
      super.connect((error, client) => {
        if (!client) return reject(error ?? new Error('The pool gave no connection'))
        watch(client)
        resolve(client)
      })
    })
  }
}

/** Gives the connection back when it ends. Returns what gives it back earlier. */
function watch(client: PoolClient): (broken?: unknown) => void {
  const release = client.release.bind(client)
  let isBack = false
  const giveBack = (broken?: unknown) => {
    if (isBack) return
    isBack = true
    client.off('end', gone)
    release(broken as Error | boolean | undefined)
  }
  const gone = () => giveBack(true)
  client.once('end', gone)
  client.release = giveBack
  return giveBack
}
