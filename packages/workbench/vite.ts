import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, UserConfig } from 'vite'

const EXTENSIONS = '@codingame/monaco-vscode-extensions-service-override'
const EXTENSION_SERVICE = `${EXTENSIONS}/index.js`
const UNDELAYED = 'if (!this.enableWorkerExtensionHost) {'
const DELAYED = 'if (!this.enableWorkerExtensionHost || !globalThis.__boxyardWorkerExtensionHost) {'
const UNDELAYED_REMOTE = 'return super.createExtensionHost(runningLocations, runningLocation, isInitialStart);'
const DELAYED_REMOTE = `if (!globalThis.__boxyardWorkerExtensionHost) return null; ${UNDELAYED_REMOTE}`

/**
 * What answers extensions in the page, a module for each part of their API. Each registers itself, and a host that starts asks for all of
 * them. One brings a service too, and services are registered before the workbench starts.
 */
const MAIN_THREAD = /^import '\.\/(vscode\/src\/vs\/workbench\/api\/browser\/mainThread(?!Embeddings)\w+\.js)';$/gm
/** Where they are imported instead. */
const mainThread = fileURLToPath(new URL('src/startup/mainThread.ts', import.meta.url))

/**
 * Holds the hosts of extensions, that of a server too, back until the late chunk sets `globalThis.__boxyardWorkerExtensionHost`: started at once they compete with the
 * first paint of the editor. What answers it in the page is a twentieth of the editor's code, and moves to the late chunk too. The package has no
 * option for either, so lines of it are rewritten. The build fails when they are not found, as after an upgrade.
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
    async transform(code, id) {
      if (id === mainThread) {
        const service = await this.resolve(EXTENSIONS, id)
        if (!service) return this.error(`${EXTENSIONS} is not installed`)
        const imports = (await readFile(service.id, 'utf8')).matchAll(MAIN_THREAD)
        const files = [...imports].map(([, name]) => join(dirname(service.id), name!))
        return { code: [...files.map((file) => `import ${JSON.stringify(file)}`), code].join('\n'), map: null }
      }
      if (!id.split('?')[0]?.endsWith(EXTENSION_SERVICE)) return null
      for (const line of [UNDELAYED, UNDELAYED_REMOTE]) {
        if (code.split(line).length !== 2) {
          this.error(`${EXTENSION_SERVICE} no longer contains "${line}" once; see packages/workbench/vite.ts`)
        }
      }
      const early = code.replaceAll(MAIN_THREAD, '')
      if (early === code) this.error(`${EXTENSION_SERVICE} imports no ${MAIN_THREAD}; see packages/workbench/vite.ts`)
      rewritten = true
      return { code: early.replace(UNDELAYED, DELAYED).replace(UNDELAYED_REMOTE, DELAYED_REMOTE), map: null }
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
