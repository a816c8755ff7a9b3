import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const classes: Record<string, string> = {
  Sandboxes: 'Sandboxes',
  Sandbox: 'Sandbox',
  HostTokens: 'HostTokens',
  SandboxClient: 'SandboxClient/index',
  FileSystem: 'SandboxClient/filesystem',
  SandboxCommands: 'SandboxClient/commands',
  Command: 'SandboxClient/commands',
  Interpreters: 'SandboxClient/interpreters',
  Terminals: 'SandboxClient/terminals',
  Terminal: 'SandboxClient/terminals',
  Tasks: 'SandboxClient/tasks',
  Task: 'SandboxClient/tasks',
  Ports: 'SandboxClient/ports',
  Setup: 'SandboxClient/setup',
  Step: 'SandboxClient/setup',
  Hosts: 'SandboxClient/hosts',
  API: 'API',
}

/** Methods that touch nothing but the client's own configuration. */
const local: ReadonlySet<string> = new Set(['API.getClient', 'API.getConfig'])

/** Every public method of the installed SDK as `Class.method`, read from its type declarations. */
export function sdkMethods(): string[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@codesandbox/sdk')))
  return Object.entries(classes)
    .flatMap(([name, file]) => {
      const text = readFileSync(join(folder, `${file}.d.ts`), 'utf8')
      const body = new RegExp(`declare class ${name} [^]*?^}`, 'm').exec(text)?.[0]
      if (body === undefined) throw new Error(`The SDK declares no class ${name}`)
      return [...body.matchAll(/^ {4}(?!constructor|private|get )(\w+)\(/gm)].map(([, method]) => `${name}.${method}`)
    })
    .filter((method) => !local.has(method))
}
