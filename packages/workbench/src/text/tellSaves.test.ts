import { expect, test } from 'vitest'
import { tellSaves } from './tellSaves.ts'

type Files = Parameters<typeof tellSaves>[0]
type Participant = Parameters<Files['addSaveParticipant']>[0]

async function toldOf(path: string, text: string): Promise<[string, string][]> {
  const participants: Participant[] = []
  const told: [string, string][] = []
  const files: Files = {
    addSaveParticipant: (participant) => {
      participants.push(participant)
      return { dispose: () => undefined }
    },
  }
  tellSaves(files, '/nodebox', (...given) => told.push(given))
  const model = { resource: { scheme: 'file', path }, textEditorModel: { getValue: () => text } }
  for (const { participate } of participants) await participate(model as never, {} as never, {} as never, {} as never)
  return told
}

test('BB950: the text of a file whose save begins is told by its path in the workspace', async () => {
  expect(await toldOf('/nodebox/src/App.tsx', 'now')).toEqual([['/src/App.tsx', 'now']])
})

test("BB950: what is saved outside of the workspace is nobody's business", async () => {
  expect(await toldOf('/nodeboxes/App.tsx', 'now')).toEqual([])
})
