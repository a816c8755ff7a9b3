import { fileURLToPath } from 'node:url'

/**
 * Where the parts of this installation are. The bundle `dist/main.js` stands as deep as this file, so the same paths hold whether the
 * server runs from its sources or bundled.
 */
const root = new URL('../../../', import.meta.url)
const path = (relative: string) => fileURLToPath(new URL(relative, root))

export const installation = {
  migrations: path('apps/server/migrations'),
  webApp: path('apps/web/dist'),
  templates: path('templates'),
  preview: path('packages/browser-backend/dist'),
  devServer: path('packages/dev-server/dist'),
  guest: path('packages/boxes/src/vm/guest'),
} as const
