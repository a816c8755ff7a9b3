import { describe, expect, it } from 'vitest'
import { defaultBoxSettings } from '../service/boxRecord.ts'
import type { BoxRecord, BoxStore } from '../service/boxRecord.ts'

export function boxRecord(id: string, change: Partial<BoxRecord> = {}): BoxRecord {
  return {
    spec: { id, disk: { kind: 'folder', path: '/template' }, tier: { cpu: 1, memory: 512, disk: 1024 } },
    inheritsSetup: false,
    hasDisk: true,
    hasRun: false,
    settings: defaultBoxSettings,
    cleanNext: false,
    state: 'stopped',
    epoch: 0,
    stopReason: null,
    lastError: null,
    ...change,
  }
}

/** Rules BX50 to BX53 of SPEC.md, for anything that keeps the records of boxes. `open` gives an empty store. */
export function boxStoreContract(name: string, open: () => Promise<BoxStore>): void {
  describe(`box store contract: ${name}`, () => {
    it('BX50: a record comes back as it was saved', async () => {
      const store = await open()
      const record = boxRecord('one', {
        spec: { id: 'one', disk: { kind: 'sealed', diskId: 'disk' }, tier: { cpu: 0.5, memory: 256, disk: 100 } },
        state: 'error',
        epoch: 3,
        stopReason: 'killed',
        lastError: { code: 'DEADLINE', detail: 'late', phase: 'starting-sandbox', at: new Date(1_900_000_000_000) },
      })
      await store.save(record)
      expect(await store.load('one')).toEqual(record)
      await store.save(boxRecord('two', { spec: { ...record.spec, id: 'two', disk: { kind: 'box', boxId: 'one' } } }))
      expect((await store.load('two'))?.spec.disk).toEqual({ kind: 'box', boxId: 'one' })
    })

    it('BX51: saving replaces the whole record', async () => {
      const store = await open()
      await store.save(boxRecord('one', { epoch: 1, stopReason: 'idle' }))
      await store.save(boxRecord('one', { epoch: 2 }))
      expect(await store.load('one')).toEqual(boxRecord('one', { epoch: 2 }))
      expect(await store.list()).toHaveLength(1)
    })

    it('BX52: what is changed outside does not change what is kept', async () => {
      const store = await open()
      const record = boxRecord('one')
      await store.save(record)
      record.epoch = 9
      const loaded = await store.load('one')
      if (loaded !== null) loaded.state = 'error'
      expect(await store.load('one')).toEqual(boxRecord('one'))
    })

    it('BX53: list holds every record, and a removed one is gone', async () => {
      const store = await open()
      expect(await store.load('one')).toBeNull()
      for (const id of ['one', 'two', 'three']) await store.save(boxRecord(id))
      await store.remove('two')
      await store.remove('two')
      expect((await store.list()).map(({ spec }) => spec.id).toSorted()).toEqual(['one', 'three'])
      expect(await store.load('two')).toBeNull()
    })
  })
}
