import { z } from 'zod'
import { classify } from '../api/RequestError.ts'
import type { RestClient } from '../api/RestClient.ts'
import { currentUserSchema, pendingUserSchema } from '../api/schemas.ts'
import { bearerToken } from './bearerToken.ts'
import { signedInMarker } from './signedInMarker.ts'
import { signInMessage } from './signInMessage.ts'
import type { SessionPorts, SignInTarget } from './sessionMachine.ts'

const popupName = 'boxyard-sign-in'
const popupSize = { width: 1020, height: 618 }
/** Milliseconds between two looks at whether the popup is still open. */
const popupPoll = 500

function addressOf({ provider, address }: SignInTarget): string {
  switch (provider) {
    case 'sso':
      return address ?? '/signin'
    case 'cli':
      return '/cli/login'
    case 'github':
      return '/auth/github?version=2&scope=user%3Aemail'
    default:
      return `/auth/${provider}?version=2`
  }
}

/** The session's ways to the server, the sign-in window and the cookies of this browser. */
export function browserSessionPorts(rest: RestClient, onSignOutFailed: (message: string) => void): SessionPorts {
  return {
    onSignOutFailed,
    marker: {
      present: () => signedInMarker.present() || bearerToken.read() !== null,
      set: () => signedInMarker.set(),
      clear() {
        signedInMarker.clear()
        bearerToken.clear()
      },
    },
    async useToken(code) {
      const { token } = await rest.get(`/auth/verify/${encodeURIComponent(code)}`, {
        schema: z.object({ token: z.string() }),
      })
      bearerToken.store(token)
    },
    async currentUser() {
      try {
        return await rest.get('/users/current', { schema: currentUserSchema })
      } catch (error) {
        if (classify(error) === 'UNAUTHORIZED') return null
        throw error
      }
    },
    pendingUser: (id) => rest.get(`/users/pending/${encodeURIComponent(id)}`, { schema: pendingUserSchema }),
    async finalize(input) {
      await rest.post('/users/finalize', { schema: z.unknown(), body: input })
    },
    async signOut() {
      await rest.delete('/users/signout', { schema: z.unknown() })
    },
    openPopup(target, onClosed) {
      const { width, height } = popupSize
      const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
      const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2)
      const popup = window.open(
        addressOf(target),
        // Inside of such a window another one is needed: one with the same name would replace its own page.
        window.name === popupName ? `${popupName}-inner` : popupName,
        `popup,width=${width},height=${height},left=${left},top=${top}`,
      )
      if (!popup) return null
      const timer = setInterval(() => {
        if (!popup.closed) return
        clearInterval(timer)
        onClosed()
      }, popupPoll)
      return {
        close() {
          clearInterval(timer)
          popup.close()
        },
      }
    },
    onMessage(listener) {
      const onMessage = (event: MessageEvent<unknown>) => {
        if (event.origin !== window.location.origin) return
        const message = signInMessage(event.data)
        if (message) listener(message)
      }
      window.addEventListener('message', onMessage)
      return () => window.removeEventListener('message', onMessage)
    },
  }
}
