import { NoticeStore } from '@boxyard/ui'
import { expect, it } from 'vitest'
import { createActor, waitFor } from 'xstate'
import type { CurrentUser } from '../api/schemas.ts'
import { followOtherWindows } from './followOtherWindows.ts'
import { sessionMachine } from './sessionMachine.ts'
import type { SignInMessage } from './sessionMachine.ts'

const person = (id: string): CurrentUser => ({
  id,
  username: id,
  name: null,
  email: `${id}@example.org`,
  avatarUrl: null,
  role: 'member',
})

/** The windows of one browser. `user`: whose session its cookie is. */
function browser() {
  const shared = { user: null as string | null, told: [] as unknown[] }
  const channels = new Set<EventTarget>()
  const open = ({ isEditor = false, isAvailable = async () => false } = {}) => {
    const channel = new EventTarget()
    channels.add(channel)
    const notices = new NoticeStore()
    const listeners = new Set<(message: SignInMessage) => void>()
    const session = createActor(sessionMachine, {
      input: {
        currentUser: async () => (shared.user === null ? null : person(shared.user)),
        pendingUser: () => Promise.reject(new Error('none')),
        finalize: async () => {},
        signOut: async () => {
          shared.user = null
        },
        useToken: async () => {},
        openPopup: () => null,
        onMessage: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        marker: { present: () => shared.user !== null, set: () => {}, clear: () => {} },
        onSignOutFailed: () => {},
      },
    })
    let reloads = 0
    let answered = Promise.resolve(false)
    followOtherWindows({
      session,
      notices,
      channel: {
        addEventListener: channel.addEventListener.bind(channel) as BroadcastChannel['addEventListener'],
        postMessage: (data) => {
          shared.told.push(data)
          for (const other of channels)
            if (other !== channel) other.dispatchEvent(new MessageEvent('message', { data }))
        },
      },
      isEditorOpen: () => isEditor,
      isBranchAvailable: () => (answered = isAvailable()),
      reload: () => (reloads += 1),
    })
    session.start()
    return {
      session,
      channel,
      notices,
      reloads: () => reloads,
      signIn: (user: string) => {
        shared.user = user
        for (const listener of listeners) listener({ type: 'signin' })
        return waitFor(session, (state) => state.matches('AUTHENTICATED'))
      },
      /** What is said once it is known whether a workspace has the branch. */
      said: async () => {
        await answered.catch(() => undefined)
        await Promise.resolve()
        return notices.all().map(({ title }) => title)
      },
    }
  }
  return { shared, open }
}

const REFRESH = 'You signed into a workspace and need to refresh your browser to continue'

it('AP953: who signs in in one window is signed in in the others, and who signs out is in none', async () => {
  const { shared, open } = browser()
  const [one, two] = [open(), open()]
  await one.signIn('ada')
  const state = await waitFor(two.session, (found) => found.matches('AUTHENTICATED'))
  expect(state.context.user?.id).toBe('ada')
  two.session.send({ type: 'SIGN_OUT' })
  await waitFor(one.session, (found) => found.matches({ UNAUTHENTICATED: 'IDLE' }))
  await waitFor(two.session, (found) => found.matches({ UNAUTHENTICATED: 'IDLE' }))
  expect([one.notices.all(), two.notices.all()]).toEqual([[], []])
  // Each says once what it is at now, and none goes on for ever.
  expect(shared.told).toEqual([{ userId: 'ada' }, { userId: 'ada' }, { userId: null }])
})

it('AP953: an editor that stands is not begun anew by a sign-in elsewhere; the person is asked to reload', async () => {
  const { open } = browser()
  const editor = open({ isEditor: true })
  await open().signIn('ada')
  expect(await editor.said()).toEqual([REFRESH])
  expect(editor.session.getSnapshot().matches('AUTHENTICATED')).toBe(false)
  editor.notices.all()[0]!.actions![0]!.perform()
  expect(editor.reloads()).toBe(1)
})

it('AP953: one of a branch says that a workspace has it', async () => {
  const { open } = browser()
  const editor = open({ isEditor: true, isAvailable: async () => true })
  const unknown = open({ isEditor: true, isAvailable: () => Promise.reject(new Error('away')) })
  await open().signIn('ada')
  expect(await editor.said()).toEqual([
    'After signing in we noticed this branch is available on a workspace. Please reload the page to continue.',
  ])
  expect(editor.notices.all()[0]!.actions).toMatchObject([{ label: 'Reload' }])
  expect(await unknown.said()).toEqual([REFRESH])
})

it('AP953: a window of somebody else is not theirs any more, and says so; words of others are not listened to', async () => {
  const { open } = browser()
  const window = open()
  await window.signIn('ada')
  for (const data of [{ userId: 'ada' }, 'signed in', { userId: 1 }, null])
    window.channel.dispatchEvent(new MessageEvent('message', { data }))
  expect(await window.said()).toEqual([])
  window.channel.dispatchEvent(new MessageEvent('message', { data: { userId: 'grace' } }))
  expect(await window.said()).toEqual([REFRESH])
})
