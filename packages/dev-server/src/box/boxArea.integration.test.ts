import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

/** Stands in for pnpm: writes what it was asked for, and puts it where packages are. */
const PNPM = `#!/bin/sh
test "$2" = fails@1 && exit 1
echo "$@" >> asked
mkdir -p node_modules/left && echo '{"version":"1.3.0"}' > node_modules/left/package.json
`

describe('packages of the box', () => {
  let box: TestBox
  let server: DevServer
  let client: TestClient
  let programs: string
  const path = process.env['PATH']

  beforeEach(async () => {
    box = await createTestBox()
    programs = await mkdtemp(join(tmpdir(), 'boxyard-programs-'))
    await writeFile(
      join(box.configuration.workspace, 'package.json'),
      '{"dependencies":{"left":"^1","../x":"1","right":"2"}}',
    )
  })
  afterEach(async () => {
    process.env['PATH'] = path
    await server.stop()
    await box.remove()
    await rm(programs, { recursive: true, force: true })
  })

  const start = async (withPnpm: boolean): Promise<void> => {
    if (withPnpm) {
      await writeFile(join(programs, 'pnpm'), PNPM)
      await chmod(join(programs, 'pnpm'), 0o755)
    }
    // Without pnpm nothing but shells is there, whatever this machine has.
    for (const shell of ['sh', 'bash']) await symlink(`/bin/${shell}`, join(programs, shell))
    process.env['PATH'] = withPnpm ? `${programs}:/usr/bin:/bin` : programs
    server = await startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
    client = await TestClient.join(box.configuration.socket, await box.token())
  }
  const add = (name: string, version: string) =>
    client.call('box/installDependencies', { manager: 'pnpm', dependencies: [{ name, version }] })
  const installed = () => client.call('box/installedDependencies', { manager: 'pnpm' })

  it('DS420: are installed by pnpm, and told with the version that is there', async () => {
    await start(true)
    expect(client.joined.capabilities.box).toEqual({ installDependencies: true, installedDependencies: true })
    expect(await installed()).toEqual({ dependencies: [] })
    expect(await add('left', '^1 || ^2; touch broken')).toEqual({ success: true })
    const asked = await client.call('fs/readFile', { path: 'asked' })
    expect(Buffer.from(asked.content).toString()).toBe('add left@^1 || ^2; touch broken\n')
    expect(await installed()).toEqual({ dependencies: [{ name: 'left', version: '1.3.0' }] })
    expect(await add('fails', '1')).toEqual({ success: false })
    for (const [name, version, code] of [
      ['--global', '1', 101],
      ['../x', '1', 101],
      ['a b', '1', 101],
      ['left', '-g', -32_602],
      ['left', '1\nx', -32_602],
    ] as const) {
      await expect(add(name, version)).rejects.toMatchObject({ code })
    }
  })

  it('DS421: without pnpm the box is not available for that, and says what to do', async () => {
    await start(false)
    await expect(add('left', '1')).rejects.toMatchObject({ code: 900, message: expect.stringContaining('npm install') })
    await mkdir(join(box.configuration.workspace, 'node_modules/left'), { recursive: true })
    await writeFile(join(box.configuration.workspace, 'node_modules/left/package.json'), '{"version":')
    expect(await installed()).toEqual({ dependencies: [] })
  })
})
