import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ReconnectTokens } from './client/reconnectToken.ts'
import { openStateFolder } from './stateFolder.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'boxyard-state-'))
})
afterEach(() => rm(root, { recursive: true }))

const tokensOf = async (folder: string, boxId: string, boot: 'CLEAN' | 'RESUME' | 'FORK') => {
  const { reconnectKey, isCopy } = await openStateFolder(folder, { isSuccessor: false, boxId, boot })
  return { tokens: new ReconnectTokens(reconnectKey, () => 0), isCopy }
}

it.each(['CLEAN', 'RESUME', 'FORK'] as const)(
  'BX402: copies of one box have reconnect keys of their own, also when they are booted as %s',
  async (boot) => {
    const state = join(root, 'state')
    const parent = await tokensOf(state, 'parent', 'CLEAN')
    expect(parent.isCopy).toBe(false)
    const ofTheParent = parent.tokens.issue('client', 'user')
    for (const name of ['left', 'right']) await cp(state, join(root, name), { recursive: true })
    const left = await tokensOf(join(root, 'left'), 'left', boot)
    const right = await tokensOf(join(root, 'right'), 'right', boot)
    expect([left.isCopy, right.isCopy]).toEqual([true, true])
    const ofTheLeft = left.tokens.issue('client', 'user')
    expect(left.tokens.read(ofTheParent, 'user')).toBeUndefined()
    expect(right.tokens.read(ofTheLeft, 'user')).toBeUndefined()
    expect(parent.tokens.read(ofTheLeft, 'user')).toBeUndefined()

    // The next start is on a disk of its own, and goes on with the key.
    const again = await tokensOf(join(root, 'left'), 'left', 'RESUME')
    expect(again.isCopy).toBe(false)
    expect(again.tokens.read(ofTheLeft, 'user')).toBe('client')
  },
)
