import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EgressProxy, InstalledTrees, RegistryMirror, SafeFetch } from '@boxyard/packer'
import { boxEnvironment, registryAddress } from '../../apps/server/src/machines/boxEnvironment.ts'
import { treeService } from '../../apps/server/src/machines/treeService.ts'
import { findPackageRegistries } from '../../apps/server/src/packageRegistries.ts'
import type { Benchmark } from '../benchmark.ts'
import { joinBox, runInBox } from '../box/joinBox.ts'
import { openBwrap } from '../box/openBwrap.ts'
import { runProgram } from '../runProgram.ts'

const template = fileURLToPath(new URL('../../templates/react-vite-ts', import.meta.url))
const peer = 'npm ci in a plain folder, npm cache warm'
const tier = { cpu: 4, memory: 4096, disk: 8192 }

const benchmark: Benchmark = {
  name: 'package-install',
  description: 'npm ci in the terminal of a box, of a lockfile that another box has installed before (React template).',
  peer,
  runs: 5,
  async run({ runs, report }) {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-bench-packages-'))
    const { npm } = await findPackageRegistries({ npmRegistry: undefined, pipIndex: undefined }, { warn: report })
    if (npm === null) throw new Error('npm names no registry')
    const { driver, keys } = await openBwrap(root, report)
    const fetch = new SafeFetch({ trustedOrigins: [npm] })
    const mirror = new RegistryMirror({
      folder: join(root, 'packages'),
      registry: npm,
      publicBase: registryAddress,
      fetch,
    })
    const trees = new InstalledTrees({
      folder: join(root, 'trees'),
      mirror,
      onMade: (id, file) => driver.keepTree(id, file),
      onFailure: (error) => report(String(error)),
    })
    await trees.open()
    const egress = new EgressProxy({
      mirror,
      allowedHosts: [],
      services: [treeService(trees, driver, (error) => report(String(error)))],
    })
    const { BOXYARD_PUBLIC_KEY: publicKey, BOXYARD_PREVIEW_HOST: previewHost } = keys.environment
    const env = boxEnvironment({ publicKey, previewHost, pipIndex: null })
    let boxes = 0
    const install = async (): Promise<{ took: number; output: string }> => {
      const id = `box-${(boxes += 1)}`
      await driver.create({ id, disk: { kind: 'folder', path: project }, tier })
      const egressSocket = join(root, `${id}.sock`)
      await egress.open(id, egressSocket)
      await driver.start(id, { epoch: 1, boot: 'CLEAN', env, egressSocket, onPhase: () => undefined })
      const client = await joinBox(driver, keys, id)
      const began = performance.now()
      const output = await runInBox(client, 'npm ci')
      const took = performance.now() - began
      client.dispose()
      await driver.destroy(id)
      await egress.close(id)
      return { took, output }
    }
    // A project that says nothing about its set-up is installed by it, beside the installation that is measured here.
    const project = join(root, 'project')
    await mkdir(join(project, '.codesandbox'), { recursive: true })
    await writeFile(join(project, '.codesandbox/tasks.json'), JSON.stringify({ setupTasks: [], tasks: {} }))
    for (const file of ['package.json', 'package-lock.json']) await cp(join(template, file), join(project, file))
    try {
      const first = await install()
      report(`The first install, by npm: ${(first.took / 1000).toFixed(1)} s`)
      await trees.settled()
      const own: number[] = []
      const plain: number[] = []
      await plainInstall(project, root)
      for (let run = 0; run < runs; run += 1) {
        const { took, output } = await install()
        if (!output.includes('this installation')) throw new Error(`It was installed by npm: ${output}`)
        own.push(took)
        plain.push(await plainInstall(project, root))
        report(`box ${own.at(-1)!.toFixed(0)}, plain ${plain.at(-1)!.toFixed(0)}`)
      }
      const time = { unit: 'ms', better: 'smaller' } as const
      return [
        {
          ...time,
          name: 'npm ci of a known lockfile in another box',
          own,
          peer: { name: peer, samples: plain },
          budget: { of: 'median', limit: 1000 },
        },
        { ...time, name: 'the first install of that lockfile, by npm', own: [first.took], peer: null },
      ]
    } finally {
      await driver.dispose()
      await egress.dispose()
      await trees.close()
      await fetch.close()
      await rm(root, { recursive: true, force: true })
    }
  },
}
export default benchmark

async function plainInstall(project: string, root: string): Promise<number> {
  const folder = join(root, 'plain')
  await cp(project, folder, { recursive: true })
  const began = performance.now()
  await runProgram('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder })
  const took = performance.now() - began
  await rm(folder, { recursive: true })
  return took
}
