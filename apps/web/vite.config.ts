import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwind()],
  // The server puts a fresh nonce into every page it sends.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'esnext', sourcemap: false, chunkSizeWarningLimit: 16_000 },
})
