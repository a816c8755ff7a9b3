import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installPeer } from '../installPeer.ts'
import { freePort } from '../server/freePort.ts'
import { request } from '../server/request.ts'

export const codeServer = 'code-server 4.138.0'

const settings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'chat.commandCenter.enabled': false,
  'git.enabled': false,
  'editor.minimap.enabled': false,
  'telemetry.telemetryLevel': 'off',
}

/** code-server on a folder. Its installation needs a C++ compiler, python3 and the development files of Kerberos. */
export async function startCodeServer(
  folder: string,
): Promise<{ address(file: string): string; stop(): Promise<void> }> {
  const node = await installPeer({ name: 'node-24', dependencies: { node: '24.21.0' }, scripts: ['node'] })
  const bin = join(node, 'node_modules', 'node', 'bin')
  const installed = await installPeer({
    name: 'code-server',
    dependencies: { 'code-server': '4.138.0' },
    scripts: ['code-server', 'argon2'],
    path: bin,
  })
  const home = await mkdtemp(join(tmpdir(), 'boxyard-bench-code-server-'))
  await mkdir(join(home, 'data', 'User'), { recursive: true })
  await writeFile(join(home, 'data', 'User', 'settings.json'), JSON.stringify(settings))
  const port = await freePort()
  const entry = join(installed, 'node_modules', 'code-server', 'out', 'node', 'entry.js')
  const child = spawn(
    join(bin, 'node'),
    [
      entry,
      '--auth=none',
      `--bind-addr=127.0.0.1:${port}`,
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      `--user-data-dir=${join(home, 'data')}`,
      `--extensions-dir=${join(home, 'extensions')}`,
      `--config=${join(home, 'config.yaml')}`,
    ],
    { env: { ...process.env, HOME: home }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  while ((await request(port, { path: '/healthz' }).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`code-server ended with ${child.exitCode}`)
    await delay(50)
  }
  const authority = `127.0.0.1:${port}`
  return {
    address(file) {
      const payload = JSON.stringify([['openFile', `vscode-remote://${authority}${join(folder, file)}`]])
      return `http://${authority}/?${new URLSearchParams({ folder, payload })}`
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(home, { recursive: true, force: true })
    },
  }
}
