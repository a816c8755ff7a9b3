import { fileURLToPath } from 'node:url'

/** The script for pages in which renders are measured. */
export const watchRenders = fileURLToPath(new URL('watchRenders.js', import.meta.url))
