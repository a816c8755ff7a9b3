import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export default defineConfig({
  plugins: [react(), tailwind()],
  define: { __VERSION__: JSON.stringify(version) },
  // The server puts a fresh nonce into every page it sends.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'esnext', sourcemap: false, chunkSizeWarningLimit: 16_000 },
})
