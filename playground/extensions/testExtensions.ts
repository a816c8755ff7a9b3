import type { TestExtension } from '../../apps/server/src/testing/extensionRegistry.ts'

export const night: TestExtension = {
  publisher: 'acme',
  name: 'night',
  version: '1.0.0',
  manifest: {
    displayName: 'Acme Night',
    description: 'A theme for late hours',
    categories: ['Themes'],
    contributes: { themes: [{ label: 'Acme Night', uiTheme: 'vs-dark', path: './night.json' }] },
  },
  files: {
    'README.md': '# Acme Night\n\nBlue as the sky after ten.\n',
    'night.json': JSON.stringify({ name: 'Acme Night', colors: { 'editor.background': '#102030' }, tokenColors: [] }),
  },
}

const theme = (name: string, title: string): TestExtension => ({
  publisher: 'acme',
  name,
  version: '1.0.0',
  manifest: {
    displayName: title,
    description: 'A theme from a file',
    contributes: { themes: [{ label: title, uiTheme: 'vs', path: './theme.json' }] },
  },
  files: { 'README.md': `# ${title}\n`, 'theme.json': JSON.stringify({ name: title, colors: {}, tokenColors: [] }) },
})

/** Not in the registry: they are brought as files. */
export const day = theme('day', 'Acme Day')
export const dusk = theme('dusk', 'Acme Dusk')

/** A file that depends on one of the registry, which has the next in its pack, and one of which neither has a part. */
export const wholeDay: TestExtension = {
  ...theme('whole-day', 'Acme Whole Day'),
  manifest: {
    ...theme('whole-day', 'Acme Whole Day').manifest,
    extensionDependencies: ['acme.morning'],
    extensionPack: ['acme.lost'],
  },
}
export const morning: TestExtension = {
  ...theme('morning', 'Acme Morning'),
  manifest: { ...theme('morning', 'Acme Morning').manifest, extensionPack: ['acme.noon'] },
}
export const noon = theme('noon', 'Acme Noon')
export const orphan: TestExtension = {
  ...theme('orphan', 'Acme Orphan'),
  manifest: { ...theme('orphan', 'Acme Orphan').manifest, extensionDependencies: ['acme.nowhere'] },
}

const command = (name: string, title: string) => ({ contributes: { commands: [{ command: name, title }] } })

/** Its command asks a worker of its own, whose script is a file of the extension. */
export const hello: TestExtension = {
  publisher: 'acme',
  name: 'hello',
  version: '1.0.0',
  manifest: {
    displayName: 'Acme Hello',
    description: 'Says hello',
    browser: './dist/web.js',
    ...command('acme.hello', 'Acme: Say Hello'),
  },
  files: {
    'README.md': '# Acme Hello\n',
    'dist/worker.js': 'onmessage = ({ data }) => postMessage(`Hello ${data} from a worker`)',
    'dist/web.js': `
      const vscode = require('vscode')
      exports.activate = (context) => {
        context.subscriptions.push(vscode.commands.registerCommand('acme.hello', () => {
          const worker = new Worker(vscode.Uri.joinPath(context.extensionUri, 'dist/worker.js').toString(true))
          worker.onmessage = ({ data }) => vscode.window.showInformationMessage(data)
          worker.postMessage('you')
        }))
      }`,
  },
}

/** Runs on machines alone. */
export const machine: TestExtension = {
  publisher: 'acme',
  name: 'machine',
  version: '1.0.0',
  manifest: { displayName: 'Acme Machine', description: 'Needs a machine', main: './node.js' },
  files: { 'README.md': '# Acme Machine\n', 'node.js': '' },
  isForWeb: false,
}

/** Tries, in the host of extensions and in a view of its own, to act as the person, and tells how that went. */
const attempts = `
  const attempt = async (what) => { try { return String(await what()) } catch (error) { return 'refused: ' + error.name } }
  const ask = (method) => attempt(async () => {
    const init = { method, credentials: 'include', ...(method === 'POST' ? { body: '{"name":"stolen","settings":"{}"}' } : {}) }
    const path = method === 'POST' ? '/editor_settings' : ''
    return (await fetch(app + '/api/v1/users/current' + path, init)).text()
  })
  const socket = () => attempt(() => new Promise((resolve, reject) => {
    const opened = new WebSocket(app.replace('http', 'ws') + '/socket/websocket')
    opened.onopen = () => resolve('open')
    opened.onerror = () => reject(new Error())
  }))
  const steal = async (more = {}) => {
    const found = {
      isOfApp: self.origin === app,
      read: await ask('GET'),
      write: await ask('POST'),
      socket: await socket(),
      databases: await attempt(async () => (await indexedDB.databases()).length),
    }
    for (const [name, what] of Object.entries(more)) found[name] = await attempt(what)
    return JSON.stringify(found)
  }`

export const thief: TestExtension = {
  publisher: 'evil',
  name: 'thief',
  version: '1.0.0',
  manifest: {
    displayName: 'Evil Thief',
    description: 'Not what it says',
    browser: './web.js',
    ...command('evil.steal', 'Evil: Steal'),
  },
  files: {
    'README.md':
      '# Useful\n\n<script>document.title = "stolen"</script><img src="x" onerror="document.title = \'stolen\'">\n',
    'web.js': `
      const vscode = require('vscode')
      exports.activate = (context) => {
        const app = new URL(context.extensionUri.toString(true)).origin
        ${attempts}
        context.subscriptions.push(vscode.commands.registerCommand('evil.steal', async () => {
          vscode.window.showInformationMessage('host ' + await steal())
          const panel = vscode.window.createWebviewPanel('evil', 'Evil', vscode.ViewColumn.One, { enableScripts: true })
          panel.webview.onDidReceiveMessage((text) => vscode.window.showInformationMessage('view ' + text))
          panel.webview.html = '<script>const app = ' + JSON.stringify(app) + ';' + ${JSON.stringify(attempts)} +
            ';const say = acquireVsCodeApi().postMessage;' +
            'steal({' +
            ' cookie: () => document.cookie === "" ? "none" : document.cookie,' +
            ' storage: () => Object.keys(localStorage).length,' +
            ' page: () => { const up = Object.getPrototypeOf(window); return globalThis.frames.parent.document.title }' +
            '}).then(say)</' + 'script><p>A view</p>'
        }))
      }`,
  },
}
