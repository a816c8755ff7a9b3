import { expect, test, vi } from 'vitest'

// Its own entry loads the editor, which needs a page.
vi.mock('monaco-editor', () => ({ Uri: {} }))
const { boxBackupService } = await import('./boxBackupService.ts')

type Identifier = Parameters<InstanceType<ReturnType<typeof boxBackupService>>['backup']>[0]

const identifier = (scheme: string, path: string, typeId = '') =>
  ({ typeId, resource: { scheme, path } }) as unknown as Identifier
const keyOf = ({ typeId, resource }: Identifier) => `${typeId} ${resource.scheme}:${resource.path}`

class Backups {
  declare readonly _serviceBrand: undefined
  readonly kept = new Map<string, Identifier>()
  hasBackupSync(one: Identifier) {
    return this.kept.has(keyOf(one))
  }
  async backup(one: Identifier) {
    this.kept.set(keyOf(one), one)
  }
  async resolve(one: Identifier) {
    return this.kept.has(keyOf(one)) ? { value: undefined as never } : undefined
  }
  async getBackups() {
    return [...this.kept.values()]
  }
  async discardBackup() {}
  async discardBackups() {}
}

test('WB912: the workbench keeps no copy of a text that is edited together, and uses none that an earlier page kept', async () => {
  const backups = new (boxBackupService(Backups, '/project/workspace'))()
  const shared = identifier('file', '/project/workspace/src/App.tsx')
  await backups.backup(shared)
  expect((backups as unknown as Backups).kept.size).toBe(0)
  // Nobody is kept from leaving for it.
  expect(backups.hasBackupSync(shared)).toBe(true)

  await Backups.prototype.backup.call(backups, shared)
  expect(await backups.resolve(shared)).toBeUndefined()
  expect(await backups.getBackups()).toEqual([])
})

test.each([
  ['a text that has no file', identifier('untitled', 'Untitled-1')],
  ['a file beside the workspace', identifier('file', '/project/workspace-of-another/a.txt')],
  ['what an extension edits in its own way', identifier('file', '/project/workspace/plan.draw', 'drawing')],
])('WB912: it keeps %s', async (_, one) => {
  const backups = new (boxBackupService(Backups, '/project/workspace'))()
  expect(backups.hasBackupSync(one)).toBe(false)
  await backups.backup(one)
  expect(backups.hasBackupSync(one)).toBe(true)
  expect(await backups.resolve(one)).toBeDefined()
  expect(await backups.getBackups()).toEqual([one])
})
