import { expect, it } from 'vitest'
import { createActor, SimulatedClock, waitFor } from 'xstate'
import { RequestError } from '../api/RequestError.ts'
import type { CurrentUser } from '../api/schemas.ts'
import { onSignedOut } from './onSignedOut.ts'
import { reportSessionErrors } from './reportSessionErrors.ts'
import type { FinalizeInput, SessionPorts, SignInMessage } from './sessionMachine.ts'
import { sessionMachine, signInTimeout } from './sessionMachine.ts'

const ada: CurrentUser = {
  id: 'u1',
  username: 'ada',
  name: 'Ada',
  email: 'ada@example.org',
  avatarUrl: null,
  role: 'member',
}

function scene(changes: Partial<SessionPorts> = {}, marked = false) {
  const clock = new SimulatedClock()
  const listeners = new Set<(message: SignInMessage) => void>()
  const seen = {
    marked,
    popups: [] as string[],
    tokens: [] as string[],
    closed: 0,
    failures: [] as string[],
    finalized: [] as FinalizeInput[],
  }
  let popupClosed = () => {}
  const ports: SessionPorts = {
    currentUser: async () => ada,
    pendingUser: async (id) => ({ id, username: 'ada', name: 'Ada', avatarUrl: null }),
    finalize: async (input) => {
      seen.finalized.push(input)
    },
    signOut: async () => {},
    useToken: async (code) => {
      seen.tokens.push(code)
    },
    openPopup: ({ provider, address }, onClosed) => {
      seen.popups.push(address ?? provider)
      popupClosed = onClosed
      return { close: () => (seen.closed += 1) }
    },
    onMessage: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    marker: {
      present: () => seen.marked,
      set: () => (seen.marked = true),
      clear: () => (seen.marked = false),
    },
    onSignOutFailed: (message) => seen.failures.push(message),
    ...changes,
  }
  const actor = createActor(sessionMachine, { input: ports, clock })
  actor.start()
  const post = (message: SignInMessage) => {
    for (const listener of listeners) listener(message)
  }
  return { actor, clock, seen, post, listeners, closePopup: () => popupClosed() }
}

it('stays signed out without the marker, and asks the server with it', async () => {
  expect(scene().actor.getSnapshot().matches({ UNAUTHENTICATED: 'IDLE' })).toBe(true)
  const { actor } = scene({}, true)
  expect(actor.getSnapshot().matches({ UNAUTHENTICATED: 'AUTHENTICATING' })).toBe(true)
  const done = await waitFor(actor, (state) => state.matches('AUTHENTICATED'))
  expect(done.context.user).toEqual(ada)
})

it('clears the marker when nobody is signed in, but keeps it when the server does not answer', async () => {
  const out = scene({ currentUser: async () => null }, true)
  await waitFor(out.actor, (state) => state.matches({ UNAUTHENTICATED: 'IDLE' }))
  expect(out.seen.marked).toBe(false)

  const down = scene({ currentUser: () => Promise.reject(new Error('The server does not answer')) }, true)
  const state = await waitFor(down.actor, (state) => state.matches({ UNAUTHENTICATED: 'IDLE' }))
  expect(down.seen.marked).toBe(true)
  expect(state.context.error).toEqual({ code: 'UNREACHABLE', message: 'The server does not answer' })
})

it('signs in through the popup and sets the marker', async () => {
  const { actor, post, seen, listeners } = scene()
  actor.send({ type: 'SIGN_IN', provider: 'github' })
  expect(actor.getSnapshot().matches({ UNAUTHENTICATED: 'SIGNING_IN' })).toBe(true)
  expect(seen.popups).toEqual(['github'])
  post({ type: 'signin' })
  await waitFor(actor, (state) => state.matches('AUTHENTICATED'))
  expect(seen.marked).toBe(true)
  expect(listeners.size).toBe(0)
})

it('returns quietly when the popup is closed without a result', () => {
  const { actor, closePopup } = scene()
  actor.send({ type: 'SIGN_IN', provider: 'github' })
  closePopup()
  expect(actor.getSnapshot().matches({ UNAUTHENTICATED: 'IDLE' })).toBe(true)
  expect(actor.getSnapshot().context.error).toBeNull()
})

it('times out after a minute, and a late answer still counts', async () => {
  const { actor, clock, post } = scene()
  actor.send({ type: 'SIGN_IN', provider: 'github' })
  clock.increment(signInTimeout - 1)
  expect(actor.getSnapshot().matches({ UNAUTHENTICATED: 'SIGNING_IN' })).toBe(true)
  clock.increment(1)
  expect(actor.getSnapshot().context.error?.code).toBe('TIMEOUT')
  post({ type: 'signin' })
  const state = await waitFor(actor, (state) => state.matches('AUTHENTICATED'))
  expect(state.context.error).toBeNull()
})

it('closes the popup on cancel, and says when it was blocked', () => {
  const { actor, seen } = scene()
  actor.send({ type: 'SIGN_IN', provider: 'google' })
  actor.send({ type: 'CANCEL' })
  expect(seen.closed).toBe(1)
  const blocked = scene({ openPopup: () => null })
  blocked.actor.send({ type: 'SIGN_IN', provider: 'google' })
  expect(blocked.actor.getSnapshot().context.error?.code).toBe('POPUP_BLOCKED')
})

it('keeps DUPLICATE as the error', () => {
  const { actor, post } = scene()
  actor.send({ type: 'SIGN_IN', provider: 'github' })
  post({ type: 'duplicate' })
  expect(actor.getSnapshot().matches({ UNAUTHENTICATED: 'IDLE' })).toBe(true)
  expect(actor.getSnapshot().context.error?.code).toBe('DUPLICATE')
})

it('lets a new person choose a name, again after a refusal, and then authenticates', async () => {
  let taken = true
  const finalized: FinalizeInput[] = []
  const { actor, post } = scene({
    finalize: async (input) => {
      finalized.push(input)
      if (taken) throw new Error('username: is taken')
    },
  })
  actor.send({ type: 'SIGN_IN', provider: 'github' })
  post({ type: 'signup', pendingId: 'p1' })
  await waitFor(actor, (state) => state.matches({ UNAUTHENTICATED: 'CHOOSING_NAME' }))
  actor.send({ type: 'FINALIZE', username: 'ada', name: null, role: null })
  const refused = await waitFor(actor, (state) => state.context.finalizeError !== null)
  expect(refused.context.finalizeError).toBe('username: is taken')
  taken = false
  actor.send({ type: 'FINALIZE', username: 'ada2', name: 'Ada', role: 'Designer' })
  await waitFor(actor, (state) => state.matches('AUTHENTICATED'))
  expect(finalized.at(-1)).toEqual({ id: 'p1', username: 'ada2', name: 'Ada', role: 'Designer' })
})

it('keeps SIGNUP_FAILED when the pending person can not be fetched', async () => {
  const { actor, post } = scene({ pendingUser: () => Promise.reject(new Error('gone')) })
  post({ type: 'signup', pendingId: 'p1' })
  const state = await waitFor(actor, (state) => state.matches({ UNAUTHENTICATED: 'IDLE' }))
  expect(state.context.error).toEqual({ code: 'SIGNUP_FAILED', message: 'gone' })
})

it('AP945: signs out, which is told once, and stays signed in when that fails', async () => {
  const good = scene({}, true)
  const left: string[] = []
  onSignedOut(good.actor, () => void left.push('good'))
  await waitFor(good.actor, (state) => state.matches('AUTHENTICATED'))
  good.actor.send({ type: 'SIGN_OUT' })
  expect(left).toEqual([])
  await waitFor(good.actor, (state) => state.matches('UNAUTHENTICATED'))
  expect(left).toEqual(['good'])
  expect(good.seen.marked).toBe(false)

  const bad = scene({ signOut: () => Promise.reject(new Error('down')) }, true)
  onSignedOut(bad.actor, () => void left.push('bad'))
  await waitFor(bad.actor, (state) => state.matches('AUTHENTICATED'))
  bad.actor.send({ type: 'SIGN_OUT' })
  await waitFor(bad.actor, (state) => state.matches({ AUTHENTICATED: 'IDLE' }))
  expect(bad.seen.failures).toEqual(['Not able to sign you out'])
  expect(bad.seen.marked).toBe(true)
  expect(left).toEqual(['good'])
})

it('ends the session when an answer says so', async () => {
  const { actor, seen } = scene({}, true)
  await waitFor(actor, (state) => state.matches('AUTHENTICATED'))
  actor.send({ type: 'SESSION_ENDED' })
  expect(actor.getSnapshot().matches('UNAUTHENTICATED')).toBe(true)
  expect(actor.getSnapshot().context.user).toBeNull()
  expect(seen.marked).toBe(false)
})

it('ends a sign-up that the server has forgotten with SIGNUP_FAILED', async () => {
  const gone = new RequestError({ status: 404, message: 'This sign-up is not found or has expired' })
  const { actor, post } = scene({ finalize: () => Promise.reject(gone) })
  post({ type: 'signup', pendingId: 'p1' })
  await waitFor(actor, (state) => state.matches({ UNAUTHENTICATED: 'CHOOSING_NAME' }))
  actor.send({ type: 'FINALIZE', username: 'ada', name: null, role: null })
  const state = await waitFor(actor, (state) => state.matches({ UNAUTHENTICATED: 'IDLE' }))
  expect(state.context).toMatchObject({ pendingUser: null, error: { code: 'SIGNUP_FAILED' } })
})

it('opens the window of single sign-on where the server says', () => {
  const { actor, seen } = scene()
  actor.send({ type: 'SIGN_IN', provider: 'sso', address: 'https://app.test/auth/sso/1' })
  expect(seen.popups).toEqual(['https://app.test/auth/sso/1'])
})

it('takes a token of the command-line window, and none that nobody waits for', async () => {
  const { actor, post, seen } = scene()
  post({ type: 'token', token: 'unasked' })
  actor.send({ type: 'SIGN_IN', provider: 'github' })
  post({ type: 'token', token: 'unasked' })
  actor.send({ type: 'CANCEL' })
  expect(actor.getSnapshot().matches({ UNAUTHENTICATED: 'IDLE' })).toBe(true)
  actor.send({ type: 'SIGN_IN', provider: 'cli' })
  post({ type: 'token', token: 'asked-for' })
  await waitFor(actor, (state) => state.matches('AUTHENTICATED'))
  expect(seen.tokens).toEqual(['asked-for'])
})

it('authenticates again when the command-line window is closed, and says when its token is refused', async () => {
  const closed = scene()
  closed.actor.send({ type: 'SIGN_IN', provider: 'cli' })
  closed.closePopup()
  await waitFor(closed.actor, (state) => state.matches('AUTHENTICATED'))

  const refused = scene({ useToken: () => Promise.reject(new Error('This code has expired')) })
  refused.actor.send({ type: 'SIGN_IN', provider: 'cli' })
  refused.post({ type: 'token', token: 'old' })
  const state = await waitFor(refused.actor, (state) => state.matches({ UNAUTHENTICATED: 'IDLE' }))
  expect(state.context.error).toEqual({ code: 'TOKEN_REFUSED', message: 'This code has expired' })
})

it('clears the marker of the last visit when a sign-in begins', () => {
  const { actor, seen } = scene()
  seen.marked = true
  actor.send({ type: 'SIGN_IN', provider: 'github' })
  expect(seen.marked).toBe(false)
})

it('AP953: keeps the marker that another window has set, and is signed in by it', async () => {
  const seenByServer: boolean[] = []
  const { actor, seen } = scene({
    currentUser: async () => {
      seenByServer.push(seen.marked)
      return null
    },
  })
  seen.marked = true
  actor.send({ type: 'SIGNED_IN_ELSEWHERE' })
  expect(actor.getSnapshot().matches({ UNAUTHENTICATED: 'AUTHENTICATING' })).toBe(true)
  await waitFor(actor, (state) => state.matches({ UNAUTHENTICATED: 'IDLE' }))
  expect(seenByServer).toEqual([true])
})

it('reports each error once, but not that the server is away', async () => {
  const { actor, post } = scene({ pendingUser: () => Promise.reject(new Error('gone')) })
  const reported: string[] = []
  reportSessionErrors(actor, async ({ code }) => reported.push(code))
  post({ type: 'duplicate' })
  post({ type: 'signup', pendingId: 'p1' })
  await waitFor(actor, (state) => state.context.error?.code === 'SIGNUP_FAILED')
  const down = scene({ currentUser: () => Promise.reject(new Error('down')) }, true)
  reportSessionErrors(down.actor, async ({ code }) => reported.push(code))
  await waitFor(down.actor, (state) => state.context.error !== null)
  expect(reported).toEqual(['DUPLICATE', 'SIGNUP_FAILED'])
})
