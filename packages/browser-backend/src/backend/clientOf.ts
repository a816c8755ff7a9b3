import type { RoomPerson } from '@boxyard/api'
import type { Client } from '@boxyard/protocol'

/** Somebody in another page as a client of the dev server. */
export const clientOf = ({ id, ...person }: RoomPerson): Client => ({ ...person, clientId: id, appId: '' })
