// By path: the configuration is loaded before anything resolves TypeScript packages.
import { delayWorkerExtensionHost, workbenchHeaders, workbenchViteConfig } from '../../packages/workbench/vite.ts'
import { cheapSelectors } from '../../packages/workbench/cheapSelectors.ts'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vite'
import { classicParts } from './classicParts.ts'
import { dropSourceMaps } from './dropSourceMaps.ts'
import { preloadEditor } from './preloadEditor.ts'
import { precompress } from './precompress.ts'
import { splitEditor } from './splitEditor.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export default mergeConfig(
  defineConfig({
    plugins: [
      react(),
      tailwind(),
      delayWorkerExtensionHost(),
      cheapSelectors(),
      dropSourceMaps(),
      splitEditor(),
      classicParts(),
      preloadEditor(),
      precompress(),
    ],
    define: { __VERSION__: JSON.stringify(version) },
    // The server puts a fresh nonce into every page it sends.
    html: { cspNonce: '__CSP_NONCE__' },
    // The editor fetches what it needs, and the page's policy lets nothing fetch a data: address.
    build: {
      rolldownOptions: { input: ['index.html', 'embed.html'] },
      assetsInlineLimit: 0,
      sourcemap: false,
      chunkSizeWarningLimit: 30_000,
      reportCompressedSize: false,
    },
    server: { headers: workbenchHeaders },
    preview: { headers: workbenchHeaders },
  }),
  workbenchViteConfig,
)
