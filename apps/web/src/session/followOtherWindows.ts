import type { NoticeStore } from '@boxyard/ui'
import type { ActorRefFrom } from 'xstate'
import { z } from 'zod'
import type { sessionMachine } from './sessionMachine.ts'

/** What the windows of a browser tell each other. */
const toldSchema = z.object({ userId: z.string().nullable() })

export interface OtherWindows {
  session: ActorRefFrom<typeof sessionMachine>
  notices: Pick<NoticeStore, 'add'>
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  /** An editor stands in this window, which would have to begin anew for somebody else. */
  isEditorOpen(): boolean
  /** Whether the branch that is open is in a workspace of whoever is signed in now. */
  isBranchAvailable(): Promise<boolean>
  reload(): void
}

/** Keeps the windows of a browser, which share one session, at one mind about who is signed in. */
export function followOtherWindows({ session, notices, channel, ...page }: OtherWindows): void {
  let known: string | null = null
  const look = () => {
    const state = session.getSnapshot()
    const userId = state.matches('AUTHENTICATED') ? (state.context.user?.id ?? null) : null
    if (userId === known) return
    known = userId
    // A channel reaches this origin alone.
    // eslint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage({ userId } satisfies z.infer<typeof toldSchema>)
  }
  session.subscribe(look)
  look()

  const sayReload = async () => {
    const isAvailable = await page.isBranchAvailable().catch((error: unknown) => {
      console.warn('Whether a workspace has the branch is not known', error)
      return false
    })
    notices.add({
      uniqueName: 'signed-in-elsewhere',
      tone: 'warning',
      title: isAvailable
        ? 'After signing in we noticed this branch is available on a workspace. Please reload the page to continue.'
        : 'You signed into a workspace and need to refresh your browser to continue',
      actions: [{ label: 'Reload', perform: () => page.reload() }],
    })
  }

  channel.addEventListener('message', ({ data }) => {
    const told = toldSchema.safeParse(data)
    if (!told.success || told.data.userId === known) return
    const { userId } = told.data
    // Telling it on would go back and forth.
    if (userId === null) {
      known = null
      session.send({ type: 'SESSION_ENDED' })
    } else if (known !== null || page.isEditorOpen()) void sayReload()
    else session.send({ type: 'SIGNED_IN_ELSEWHERE' })
  })
}
