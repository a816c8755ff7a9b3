import { defineConfig, mergeConfig } from 'vite'
import { workbenchViteConfig } from '../../vite.ts'

export default mergeConfig(
  defineConfig({
    root: import.meta.dirname,
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      chunkSizeWarningLimit: 30_000,
      reportCompressedSize: false,
      minify: false,
    },
  }),
  workbenchViteConfig,
)
