import { defineConfig, mergeConfig, type Plugin } from 'vite'
import { cheapSelectors } from '../cheapSelectors.ts'
import { delayWorkerExtensionHost, workbenchHeaders, workbenchViteConfig } from '../vite.ts'

/** The policy of a page that runs code of others: the workbench has to work under it. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ')

function pagePolicy(): Plugin {
  return {
    name: 'playground:page-policy',
    configurePreviewServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = request.url?.split('?', 1)[0]
        if (path === '/' || path === '/index.html') response.setHeader('content-security-policy', PAGE_POLICY)
        next()
      })
    },
  }
}

export default mergeConfig(
  defineConfig({
    root: import.meta.dirname,
    plugins: [delayWorkerExtensionHost(), cheapSelectors(), pagePolicy()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      chunkSizeWarningLimit: 30_000,
      reportCompressedSize: false,
      assetsInlineLimit: 0,
    },
    server: { headers: workbenchHeaders },
    preview: { headers: workbenchHeaders },
  }),
  workbenchViteConfig,
)
