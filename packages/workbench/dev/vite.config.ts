import { defineConfig, mergeConfig } from 'vite'
import { delayWorkerExtensionHost, workbenchHeaders, workbenchViteConfig } from '../vite.ts'

export default mergeConfig(
  defineConfig({
    root: import.meta.dirname,
    plugins: [delayWorkerExtensionHost()],
    build: { outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 30_000, reportCompressedSize: false },
    server: { headers: workbenchHeaders },
    preview: { headers: workbenchHeaders },
  }),
  workbenchViteConfig,
)
