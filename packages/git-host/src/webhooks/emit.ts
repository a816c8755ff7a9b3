import { randomUUID } from 'node:crypto'
import type { HookRecord, RepositoryRecord } from '../repositories/records.ts'
import type { RepositoryStorage } from '../repositories/repositoryStorage.ts'

export interface HookEvent {
  event: string
  action: string | null
  payload: Readonly<Record<string, unknown>>
}

/** Puts an event on its way to every hook of a repository that asks for it, in the transaction of what it tells. */
export async function emit(
  storage: RepositoryStorage,
  repository: RepositoryRecord,
  event: HookEvent,
  now: Date,
): Promise<void> {
  for (const hook of await storage.hooks.find({ repositoryId: repository.id, active: true })) {
    if (hook.events.includes(event.event) || hook.events.includes('*')) await enqueue(storage, hook, event, now)
  }
}

/** Puts an event on its way to one hook, whatever it asks for. */
export async function enqueue(
  storage: RepositoryStorage,
  hook: HookRecord,
  { event, action, payload }: HookEvent,
  now: Date,
): Promise<void> {
  await storage.deliveries.insert({
    guid: randomUUID(),
    hookId: hook.id,
    event,
    action,
    payload: JSON.stringify(action === null ? payload : { action, ...payload }),
    attempts: 0,
    nextAttemptAt: now,
    deliveredAt: null,
    statusCode: null,
    insertedAt: now,
  })
}
