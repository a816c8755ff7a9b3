import { createHash } from 'node:crypto'

/** The name of what is made of this, and of nothing else: 64 hexadecimal digits. */
export const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
