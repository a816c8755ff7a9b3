import type { Plugin, UserConfig } from 'vite'

const EXTENSION_SERVICE = '@codingame/monaco-vscode-extensions-service-override/index.js'
const UNDELAYED = 'if (!this.enableWorkerExtensionHost) {'
const DELAYED = 'if (!this.enableWorkerExtensionHost || !globalThis.__boxyardWorkerExtensionHost) {'

/**
 * Holds the worker extension host back until the late chunk sets `globalThis.__boxyardWorkerExtensionHost`: started at once it competes with the
 * first paint of the editor. The package has no option for it, so one line of it is rewritten. The build fails when that line
 * is not found exactly once, as after an upgrade.
 */
export function delayWorkerExtensionHost(): Plugin {
  let rewritten = false
  let building = false
  return {
    name: 'boxyard:delay-worker-extension-host',
    enforce: 'pre',
    configResolved(config) {
      building = config.command === 'build'
    },
    transform(code, id) {
      if (!id.split('?')[0]?.endsWith(EXTENSION_SERVICE)) return null
      if (code.split(UNDELAYED).length !== 2) {
        this.error(`${EXTENSION_SERVICE} no longer contains "${UNDELAYED}" once; see packages/workbench/vite.ts`)
      }
      rewritten = true
      return { code: code.replace(UNDELAYED, DELAYED), map: null }
    },
    buildEnd(error) {
      if (!error && building && !rewritten && this.environment.name === 'client') {
        this.error(`${EXTENSION_SERVICE} was not part of the build; see packages/workbench/vite.ts`)
      }
    },
  }
}

/** What a Vite application that bundles the workbench has to merge into its own configuration. */
export const workbenchViteConfig = {
  worker: { format: 'es' },
  build: { target: 'esnext' },
  resolve: { dedupe: ['vscode', 'monaco-editor', '@codingame/monaco-vscode-api', 'react', 'react-dom'] },
} satisfies UserConfig

/** Response headers of the page that hosts the workbench: its language workers use shared memory. */
export const workbenchHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'credentialless',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const
