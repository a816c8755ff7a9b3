import path from 'node:path'

/** The folder with the stand-in dev server that drivers under test start. */
export const standInDevServer = path.join(import.meta.dirname, 'standInDevServer')
