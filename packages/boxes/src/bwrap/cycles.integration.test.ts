import { createHash } from 'node:crypto'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BoxDriver } from '../driver.ts'
import { BoxService } from '../service/boxService.ts'
import { systemClock } from '../service/clock.ts'
import { MemoryBoxStore } from '../service/memoryBoxStore.ts'
import { BoxProbe } from '../testing/boxProbe.ts'
import { removeTree } from '../testing/removeTree.ts'
import { seededRandom } from '../testing/seededRandom.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { createBwrapDriver } from './createBwrapDriver.ts'

// BOXYARD_CYCLES=100 npx vitest run --project integration packages/boxes/src/bwrap/cycles
const CYCLES = Number(process.env['BOXYARD_CYCLES'] ?? 4)
const FILES_A_CYCLE = 8

let root: string
let driver: BoxDriver
let service: BoxService

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'boxyard-cycles-'))
  await mkdir(path.join(root, 'template'))
  const log = (): void => undefined
  driver = await createBwrapDriver({
    home: path.join(root, 'home'),
    devServer: standInDevServer,
    node: process.execPath,
    log,
  })
  service = new BoxService({ driver, store: new MemoryBoxStore(), clock: systemClock, log })
  await service.open()
})

afterAll(async () => {
  await service.dispose()
  await driver.dispose()
  await removeTree(root)
})

/** Writes files in the box: `sizes` maps a name to how many bytes of its name repeated it holds, or 0 to remove it. */
const WRITER = `
const fs = require('fs'), path = require('path')
for (const [name, size] of Object.entries(JSON.parse(process.argv[1]))) {
  if (size === 0) { fs.rmSync(name, { force: true }); continue }
  fs.mkdirSync(path.dirname(name), { recursive: true })
  fs.writeFileSync(name, (name + ':' + size + ';').repeat(Math.ceil(size / 8)).slice(0, size))
}`

function hashesOf(model: ReadonlyMap<string, number>): string {
  return [...model]
    .map(([name, size]) => {
      const content = `${name}:${size};`.repeat(Math.ceil(size / 8)).slice(0, size)
      return `${createHash('sha256').update(content).digest('hex')}  ./${name}`
    })
    .toSorted()
    .join('\n')
}

it(
  `BX400: after each of ${CYCLES} cycles of write, sleep and waking every file is what was written`,
  { timeout: 1_000_000 },
  async () => {
    const random = seededRandom(CYCLES)
    const tier = { cpu: 1, memory: 512, disk: 1024 }
    await service.create({
      id: 'sleeper',
      disk: { kind: 'folder', path: path.join(root, 'template') },
      tier,
      inheritsSetup: false,
    })
    let { epoch } = await service.start('sleeper', { env: {} })
    const box = new BoxProbe(driver, 'sleeper')
    const model = new Map<string, number>()
    // Of this process, which only goes on if memory is kept.
    await box.sh('echo alive > /tmp/in-memory')
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const change: Record<string, number> = {}
      for (let file = 0; file < FILES_A_CYCLE; file += 1) {
        const name = `folder-${Math.floor(random() * 5)}/file-${Math.floor(random() * 40)}`
        const size = random() < 0.2 ? 0 : 1 + Math.floor(random() * 100_000)
        change[name] = size
        if (size === 0) model.delete(name)
        else model.set(name, size)
      }
      expect(await box.run('node', '-e', WRITER, JSON.stringify(change))).toMatchObject({ code: 0 })
      await service.hibernate('sleeper')
      expect((await service.progress('sleeper')).state).toBe('hibernated')
      // Every other time its memory is needed, and it sleeps on as files.
      const asFiles = cycle % 2 === 1
      if (asFiles) await service.stop('sleeper')
      const woken = await service.start('sleeper', { env: {} })
      expect(woken).toMatchObject({ bootType: 'RESUME', epoch: asFiles ? epoch + 1 : epoch })
      epoch = woken.epoch
      const hashes = await box.sh('find . -type f -exec sha256sum {} + | sort')
      expect(hashes).toBe(hashesOf(model))
      expect((await box.run('test', '-e', '/tmp/in-memory')).code).toBe(asFiles ? 1 : 0)
      if (asFiles) await box.sh('echo alive > /tmp/in-memory')
    }
  },
)

it('BX401: two boxes forked from one running box diverge in files, entropy and environment', async () => {
  const tier = { cpu: 1, memory: 512, disk: 1024 }
  const folder = { kind: 'folder', path: path.join(root, 'template') } as const
  await service.create({ id: 'parent', disk: folder, tier, inheritsSetup: false })
  await service.start('parent', { env: {} })
  const parent = new BoxProbe(driver, 'parent')
  await parent.sh('echo parent > file; mkdir common; echo same > common/file')
  await Promise.all(
    ['left', 'right'].map((id) =>
      service.create({ id, disk: { kind: 'box', boxId: 'parent' }, tier, inheritsSetup: true }),
    ),
  )
  await Promise.all(['left', 'right'].map((id) => service.start(id, { env: {} })))
  const boxes = ['parent', 'left', 'right'].map((id) => ({ id, probe: new BoxProbe(driver, id) }))
  const entropy =
    'cat /proc/sys/kernel/random/uuid; node -p "crypto.randomUUID() + Math.random()"; hostname; head -c 16 /dev/urandom | base64'
  const seen = await Promise.all(boxes.map(async ({ probe }) => (await probe.sh(entropy)).split('\n')))
  for (const line of [0, 1, 2, 3]) expect(new Set(seen.map((lines) => lines[line])).size, String(line)).toBe(3)
  const identities = await Promise.all(boxes.map(async ({ probe }) => (await probe.env())['BOXYARD_BOX_ID']))
  expect(identities).toEqual(['parent', 'left', 'right'])
  await Promise.all(boxes.map(({ id, probe }) => probe.sh(`echo ${id} > file; rm -r common; touch only-${id}`)))
  for (const { id, probe } of boxes) {
    expect(await probe.sh('cat file; ls')).toBe(`${id}\nfile\nonly-${id}`)
  }
})
