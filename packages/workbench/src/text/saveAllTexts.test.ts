import { expect, test } from 'vitest'
import { saveAllTexts } from './saveAllTexts.ts'
import type { TextsToSave } from './saveAllTexts.ts'

test('WB911: a save that is under way is waited for, before what it leaves is saved', async () => {
  const said: string[] = []
  let format = () => {}
  const formatted = new Promise<void>((resolve) => (format = resolve))
  const note = (what: string) => async () => {
    said.push(what)
    return true as never
  }
  const models = [{ joinState: () => formatted.then(() => void said.push('formatted')) }]
  const saving = saveAllTexts({
    editors: { saveAll: note('editors') },
    files: { models } as unknown as TextsToSave['files'],
    texts: { saveAll: note('texts') },
  })
  format()
  await saving
  expect(said).toEqual(['formatted', 'editors', 'texts'])
})
