import { feed } from '../events/liveField.ts'
import { subjectOf } from '../events/platformEvent.ts'
import type { Builder } from '../graphql/builder.ts'
import { SANDBOX_CHANGED } from './sandboxEvents.ts'
import { sandboxIdOf } from './sandboxIds.ts'
import { whoMaySeeSandbox } from './sandboxFollowers.ts'
import { findSandbox } from './sandboxes.ts'
import type { SandboxRef } from '../graphql/schema.ts'

/** How every subscription about one sandbox is fed: to those who may see the sandbox. */
export function feedOfSandbox<Data>(type: string) {
  return feed<{ sandboxId: string }, Data>({
    type,
    subject: ({ sandboxId }) => subjectOf.sandbox(sandboxIdOf(sandboxId) ?? sandboxId),
    allowed: (database, userIds, subject) =>
      whoMaySeeSandbox(database, userIds, subject.slice(subjectOf.sandbox('').length)),
  })
}

export function defineSandboxChanged(builder: Builder, sandbox: SandboxRef): void {
  builder.subscriptionField(SANDBOX_CHANGED, (t) =>
    t.field({
      type: sandbox,
      nullable: false,
      args: { sandboxId: t.arg.id({ required: true }) },
      ...feedOfSandbox<{ id: string }>(SANDBOX_CHANGED),
      resolve: async ({ id }, _args, { database }) => (await findSandbox(database, id))!,
    }),
  )
}
