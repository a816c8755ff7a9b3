import { chmodSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFakeRegistry } from '../../../../packages/packer/src/testing/fakeRegistry.ts'
import { templateId } from '../sandboxes/templates.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { joinEditor } from '../testing/joinEditor.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'
import { createMachines } from './createMachines.ts'

const templates = writeTemplates(
  { plain: { title: 'Plain', description: '', tags: [] } },
  { plain: { setupTasks: [], tasks: {} } },
)
const manifest = JSON.stringify({
  name: 'project',
  version: '1.0.0',
  dependencies: { '@scope/left': '^1.0.0' },
  devDependencies: { scripted: '1.0.0' },
})

let registry: Awaited<ReturnType<typeof startFakeRegistry>>
let server: TestServer
let owner: TestBrowser
let lockfile: string

beforeAll(async () => {
  registry = await startFakeRegistry([
    {
      name: '@scope/left',
      version: '1.2.0',
      manifest: { bin: { left: 'bin/left.js' }, dependencies: { right: '1.0.0' } },
      files: { 'bin/left.js': '#!/usr/bin/env node\nconsole.log("left and " + require("right"))', 'a/b/c.txt': 'deep' },
    },
    {
      name: 'right',
      version: '1.0.0',
      manifest: { main: 'index.js' },
      files: { 'index.js': 'module.exports = "right"' },
    },
    {
      name: 'late',
      version: '2.0.0',
      manifest: { main: 'index.js' },
      files: { 'index.js': 'module.exports = "late and "' },
    },
    {
      name: 'scripted',
      version: '1.0.0',
      manifest: { scripts: { postinstall: 'node write.js' } },
      files: { 'write.js': 'require("fs").writeFileSync("written-by-script", "in this box")' },
    },
  ])
  chmodSync(templates.folder, 0o755)
  server = await startTestServer(
    { BOXYARD_NPM_REGISTRY: registry.origin },
    { machines: createMachines, templatesFolder: templates.folder },
  )
  owner = await server.signedIn('owner')
})

afterAll(async () => {
  await server.close()
  await registry.close()
  templates.remove()
})

/** A new devbox, with a way to run a line in a shell of its terminal. */
async function openDevbox() {
  const { body } = await owner.call('POST', `/api/v1/sandboxes/${templateId('plain')}/fork`, { v2: true })
  const { id } = (body as { data: { id: string } }).data
  const started = await owner.call('POST', `/api/vm/${id}/start`)
  const editor = await joinEditor(server, id, (started.body as { data: { pitcher_token: string } }).data.pitcher_token)
  const run = async (line: string): Promise<string> => {
    const { shellId } = (await editor.call('shell/create', { command: line, type: 'COMMAND' })) as { shellId: string }
    const exit = (await editor.told('shell/exit', (params) => params['shellId'] === shellId)) as { exitCode: number }
    const { buffer } = (await editor.call('shell/open', { shellId })) as { buffer: string[] }
    const text = buffer.join('').replaceAll('\r\n', '\n')
    expect(exit.exitCode, `${line}: ${text}`).toBe(0)
    return text
  }
  return { run, close: () => editor.close() }
}

/** Everything about a tree but the file that npm keeps in it for itself. */
const DESCRIBE =
  'cd node_modules && find . ! -name .package-lock.json -type f -printf "%m %p\\n" | sort && ' +
  'find . -type l -printf "%p -> %l\\n" | sort && find . ! -name .package-lock.json -type f -exec sha256sum {} + | sort'

it('BX428: what one box has installed, another gets from the platform, as npm would have installed it', async () => {
  const first = await openDevbox()
  await first.run(`echo '${manifest}' > package.json`)
  expect(await first.run('npm install')).not.toContain('this installation')
  // Known from now on: npm does it a last time, and the platform beside it.
  expect(await first.run('npm ci')).not.toContain('this installation')
  const sealed = join(server.context.configuration.home, 'packages', 'trees', 'sealed')
  while (readdirSync(sealed).length === 0) await setImmediate()
  const byNpm = await first.run(DESCRIBE)
  expect(byNpm).toContain('written-by-script')
  lockfile = await first.run('cat package-lock.json')
  const hidden = await first.run('cat node_modules/.package-lock.json')
  // Nothing that a box does to its own copy reaches the next one.
  await first.run('for file in $(find node_modules -type f); do echo changed > "$file"; done')
  first.close()

  const second = await openDevbox()
  await second.run(`echo '${manifest}' > package.json`)
  await second.run(`cat > package-lock.json <<'LOCK'\n${lockfile}\nLOCK`)
  expect(await second.run('npm ci')).toMatch(/added 3 packages in [\d.]+s, from what this installation has checked/)
  expect(await second.run(DESCRIBE)).toBe(byNpm)
  expect(JSON.parse(await second.run('cat node_modules/.package-lock.json'))).toEqual(JSON.parse(hidden))
  expect(await second.run('npx --no-install left')).toContain('left and right')
  expect(await second.run('npm ls --all')).toContain('right@1.0.0')
  expect(await second.run('npm install')).toContain('up to date')
  expect(await second.run('rm -rf node_modules && npm i')).toContain('from what this installation has checked')
  second.close()
})

it('BX878: where disks can share it a tree is not written to the box, and npm goes on from it', async () => {
  const box = await openDevbox()
  await box.run(`echo '${manifest}' > package.json`)
  await box.run(`cat > package-lock.json <<'LOCK'\n${lockfile}\nLOCK`)
  expect(await box.run('npm ci')).toContain('from what this installation has checked')
  const { kind } = JSON.parse(readFileSync(join(server.context.configuration.home, 'boxes', 'store.json'), 'utf8')) as {
    kind: string
  }
  const isShared = process.getuid?.() === 0 && kind === 'overlay'
  // Other names of a file: what is kept, and what other boxes were given.
  expect(Number(await box.run('stat -c %h node_modules/right/index.js')) > 1).toBe(isShared)
  expect(await box.run('npm uninstall scripted')).toContain('removed 1 package')
  expect(await box.run('npm install late')).toContain('added 1 package')
  expect(await box.run('npm ls --all')).toMatch(/right@1\.0\.0[^]*late@2\.0\.0/)
  expect(await box.run("ls -1 node_modules && node -p \"require('late') + require('right')\"")).toMatch(
    /^@scope\nlate\nright\nlate and right\n$/,
  )
  await box.run('rm -rf node_modules && ! ls node_modules 2>&1')
  box.close()
})
