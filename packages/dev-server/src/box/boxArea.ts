import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProtocolError } from '@boxyard/protocol'
import { z } from 'zod'
import type { Area } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import { isInBox } from '../container/isInBox.ts'
import { hasCode } from '../fs/errno.ts'
import type { Shells } from '../shell/Shells.ts'

export interface BoxAreaDependencies {
  configuration: Pick<Configuration, 'workspace'>
  shells: Shells
  environment: Readonly<Record<string, string>>
}

const packageSchema = z.object({
  version: z.string().optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
})
type Package = z.infer<typeof packageSchema>

/** The packages of the workspace, by pnpm. See SPEC.md, rules DS420 and on. */
export function createBoxArea({ configuration, shells, environment }: BoxAreaDependencies): Area {
  const { workspace } = configuration

  const install = (command: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const made = shells.create({ type: 'COMMAND', command, name: 'Install packages' })
      made.then((session) => {
        // Nothing may be awaited before this: a quick command would end unseen.
        const settle = (exitCode: number): void => {
          forget()
          resolve(exitCode)
        }
        const forget = shells.observe({
          exited: (ended, exitCode) => {
            if (ended === session) settle(exitCode)
          },
          removed: (ended) => {
            if (ended === session) settle(1)
          },
        })
      }, reject)
    })

  return {
    handlers: {
      'box/installDependencies': async ({ dependencies }) => {
        if (!isInBox('pnpm', environment)) {
          throw new ProtocolError(
            'BOX_NOT_AVAILABLE',
            'pnpm is missing in this box, so nothing was installed. Add a set-up task that runs: npm install --global pnpm',
          )
        }
        const words = dependencies.map(({ name, version }) => quote(`${name}@${version}`))
        return { success: (await install(`pnpm add ${words.join(' ')}`)) === 0 }
      },
      'box/installedDependencies': async () => {
        const { dependencies, devDependencies } = (await readPackage(workspace)) ?? {}
        const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
          /^(@[\w.~-]+\/)?[\w~][\w.~-]*$/.test(name),
        )
        const found = await Promise.all(
          names.map(async (name) => {
            const version = (await readPackage(join(workspace, 'node_modules', name)))?.version
            return version === undefined ? [] : [{ name, version }]
          }),
        )
        return { dependencies: found.flat() }
      },
    },
    dispose: () => Promise.resolve(),
  }
}

async function readPackage(folder: string): Promise<Package | undefined> {
  try {
    return packageSchema.safeParse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).data
  } catch (error) {
    // One that is being typed says nothing yet.
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
