import { describe, expect, it } from 'vitest'
import type { ExtensionEntry } from './extensionEntry.ts'
import { entryText } from './extensionEntry.ts'
import { installedExtensions, type MissingExtensions } from './installedExtensions.ts'

/** An editor in which extensions of some names can not be installed. */
function editor(refused: ReadonlySet<string> = new Set()) {
  const has = new Map<string, ExtensionEntry>()
  let missing: ReadonlyMap<string, string> = new Map()
  const kept: MissingExtensions = { read: () => missing, write: (next) => void (missing = next) }
  const done: string[] = []
  const told: string[] = []
  const shelf = {
    list: async () => has,
    install: async (id: string, entry: ExtensionEntry) => {
      if (refused.has(id)) throw new Error('The registry is away')
      done.push(`install ${id}`)
      has.set(id, { ...entry, enabled: true })
    },
    enable: async (id: string, enabled: boolean) => void has.set(id, { ...has.get(id)!, enabled }),
    remove: async (id: string) => {
      done.push(`remove ${id}`)
      has.delete(id)
    },
  }
  return { has, done, told, local: installedExtensions(shelf, kept, (ids) => told.push(...ids)) }
}

const on = entryText({ enabled: true })
const off = entryText({ enabled: false })

describe('WB814: extensions of an account', () => {
  it('are installed, switched off and removed as it says', async () => {
    const { has, done, local } = editor()
    await local.write(new Map([['extension/acme.night', off]]), new Map())
    expect([...has]).toEqual([['acme.night', { enabled: false }]])
    const known = await local.read()
    expect([...known]).toEqual([['extension/acme.night', off]])
    await local.write(new Map([['extension/acme.night', on]]), known)
    expect([...has]).toEqual([['acme.night', { enabled: true }]])
    await local.write(new Map([['extension/acme.night', undefined]]), await local.read())
    expect(done).toEqual(['install acme.night', 'remove acme.night'])
  })

  it('are installed anew when they come from another file', async () => {
    const { done, local } = editor()
    await local.write(new Map([['extension/a.b', entryText({ enabled: true, from: '/1' })]]), new Map())
    await local.write(new Map([['extension/a.b', entryText({ enabled: true, from: '/2' })]]), await local.read())
    expect(done).toEqual(['install a.b', 'install a.b'])
  })

  it('stay as the person has just made them', async () => {
    const { has, local } = editor()
    await local.write(new Map([['extension/a.b', on]]), new Map())
    const known = await local.read()
    has.set('a.b', { enabled: false })
    await local.write(new Map([['extension/a.b', undefined]]), known)
    expect([...has]).toEqual([['a.b', { enabled: false }]])
  })

  it('know their own keys, and leave alone what a later version has written', async () => {
    const { done, told, local } = editor()
    expect([local.owns('extension/a.b'), local.owns('setting/a')]).toEqual([true, false])
    await local.write(new Map([['extension/a.b', '{"later":1}']]), new Map())
    expect([done, told]).toEqual([[], ['a.b']])
    expect([...(await local.read())]).toEqual([['extension/a.b', '{"later":1}']])
  })
})

describe('WB815: an extension that can not be had now', () => {
  it("is told of, stays the person's, and keeps none of the others away", async () => {
    const refused = new Set(['a.gone'])
    const { has, told, local } = editor(refused)
    const wanted = new Map([
      ['extension/a.gone', on],
      ['extension/a.here', on],
    ])
    await local.write(wanted, new Map())
    expect(told).toEqual(['a.gone'])
    expect([...has.keys()]).toEqual(['a.here'])
    // As if it were there: nobody takes it for removed.
    expect(new Map(await local.read())).toEqual(wanted)
  })

  it('is not wanted any more when the person removes it elsewhere', async () => {
    const { local } = editor(new Set(['a.gone']))
    await local.write(new Map([['extension/a.gone', on]]), new Map())
    await local.write(new Map([['extension/a.gone', undefined]]), await local.read())
    expect([...(await local.read())]).toEqual([])
  })
})
