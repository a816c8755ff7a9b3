import { describe, expect, it } from 'vitest'
import { findPackageRegistries } from './packageRegistries.ts'

const silent = { warn: () => undefined }
const none = { npmRegistry: undefined, pipIndex: undefined }

describe('package registries', () => {
  it('come from the settings before anything is asked', async () => {
    const settings = { npmRegistry: 'http://npm.test', pipIndex: 'http://pip.test/simple' }
    const ask = () => Promise.reject(new Error('asked'))
    expect(await findPackageRegistries(settings, silent, ask)).toEqual({
      npm: 'http://npm.test',
      pip: 'http://pip.test/simple',
    })
  })

  it('are those of the package managers of the machine', async () => {
    const answers: Record<string, string> = {
      'npm config get registry': 'http://npm.test/\n',
      'pip config get global.index-url': 'http://pip.test/simple/\n',
    }
    const ask = (command: string, args: string[]) => Promise.resolve(answers[[command, ...args].join(' ')] ?? null)
    expect(await findPackageRegistries(none, silent, ask)).toEqual({
      npm: 'http://npm.test',
      pip: 'http://pip.test/simple',
    })
  })

  it('are off, with a warning, when nobody names one', async () => {
    const warnings: string[] = []
    const log = { warn: (message: string) => warnings.push(message) }
    const registries = await findPackageRegistries(none, log, (command) =>
      Promise.resolve(command === 'npm' ? 'undefined\n' : null),
    )
    expect(registries).toEqual({ npm: null, pip: null })
    expect(warnings).toEqual([expect.stringContaining('BOXYARD_NPM_REGISTRY')])
  })
})
