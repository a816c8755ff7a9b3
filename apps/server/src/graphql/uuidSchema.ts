import { z } from 'zod'

/** For arguments of the type ID that name rows with a UUID. */
export const uuidSchema = z.guid('This is no id.').toLowerCase()
