import { seededRandom } from '@boxyard/ot/testing'
import { expect, it } from 'vitest'
import { SharedDocument } from '../testing/sharedDocument.ts'
import type { Participant } from '../testing/sharedDocument.ts'

const STEPS = 80
/** A busy machine may take long; a hang is noticed all the same. */
const TIMEOUT = 120_000
/** Every inserted character is another one, so a lost or doubled one is seen. */
const FIRST_CHARACTER = 0x4e00

async function settleEverything(document: SharedDocument): Promise<void> {
  for (let round = 0; round < 1_000; round += 1) {
    for (const participant of document.participants) {
      await participant.server.clock.advance(1_000)
      await participant.deliverAll()
    }
    const isQuiet = document.participants.every(
      ({ waiting, file, server }) => waiting === 0 && file.syncState === 'SYNCED' && server.socket.readyState === 1,
    )
    if (isQuiet) return
  }
  throw new Error('The clients do not come to rest')
}

async function run(seed: number, options: { hasReplay: boolean; edits: 'inserts' | 'all' }) {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const document = new SharedDocument(options)
  for (const name of ['ada', 'bob', 'carl']) await document.join(name)
  let inserted = ''
  const insert = (participant: Participant) => {
    const character = String.fromCodePoint(FIRST_CHARACTER + inserted.length)
    inserted += character
    const { length } = participant.text
    const position = below(length + 1)
    participant.type(
      [position, character, length - position].filter((part) => part !== 0),
      below(3),
    )
  }
  const remove = (participant: Participant) => {
    const { length } = participant.text
    if (length === 0) return
    const position = below(length)
    const count = 1 + below(Math.min(4, length - position))
    participant.type(
      [position, -count, length - position - count].filter((part) => part !== 0),
      below(3),
    )
  }
  for (let step = 0; step < STEPS; step += 1) {
    const participant = document.participants[below(document.participants.length)]!
    const dice = random()
    if (dice < 0.25) insert(participant)
    else if (dice < 0.35 && options.edits === 'all') remove(participant)
    else if (dice < 0.4 && options.edits === 'all') participant.show(participant.file.undo())
    else if (dice < 0.43 && options.edits === 'all') participant.show(participant.file.redo())
    else if (dice < 0.48) await participant.cut(random() < 0.5)
    else if (dice < 0.55) await participant.server.clock.advance(600)
    else await participant.deliver(random() < 0.5 ? 'server' : 'client')
  }
  await settleEverything(document)
  const texts = document.participants.flatMap(({ text, file }) => [text, file.text])
  return { texts, server: document.history.text, inserted }
}

const sorted = (text: string) => [...text].toSorted().join('')

it(
  'DC44, DC45: cuts at any moment lose and double nothing while operations are replayed',
  { timeout: TIMEOUT },
  async () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const { texts, server, inserted } = await run(seed, { hasReplay: true, edits: 'inserts' })
      expect(sorted(server), `seed ${seed}`).toBe(sorted(inserted))
      for (const text of texts) expect(text, `seed ${seed}`).toBe(server)
    }
  },
)

it(
  'DC44: with deletions, undo and redo every client ends with the text of the dev server',
  { timeout: TIMEOUT },
  async () => {
    for (const hasReplay of [true, false]) {
      for (let seed = 1; seed <= 12; seed += 1) {
        const { texts, server } = await run(seed, { hasReplay, edits: 'all' })
        for (const text of texts) expect(text, `seed ${seed}, replay ${hasReplay}`).toBe(server)
      }
    }
  },
)
