import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DevServerClient, TextFile } from '@boxyard/dev-server-client'
import { apply } from '@boxyard/ot'
import { buildDevServer } from '../buildDevServer.ts'
import { DevServerProcess } from '../devServerProcess.ts'

const WRITERS = 3
/** A new document now and then, so that reading the old one back does not become what the run is about. */
const KILLS_PER_DOCUMENT = 20
/** The dev server lives between this and twice this after the first keystroke. */
const LIFE_MS = 120
/** One edit in so many is a save as well, so that kills fall into saves. */
const EDITS_PER_SAVE = 25

export interface Kill {
  accepted: number
  /** Accepted edits that are not in the text afterwards. */
  lost: number
  /** Edits, accepted or not, that are there more than once. */
  doubled: number
  /** Milliseconds from the new start to the first client that has the text. */
  recovery: number
}

/**
 * Three people type words that are each there once; the dev server is killed with SIGKILL at a random moment and started again; somebody
 * new opens the file. What was accepted and is not there is lost.
 */
export async function* killBoxyard(kills: number): AsyncGenerator<Kill> {
  const server = await DevServerProcess.create(await buildDevServer())
  const accepted = new Set<string>()
  let path = ''
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill % KILLS_PER_DOCUMENT === 0) {
        path = `document${kill}.txt`
        accepted.clear()
        await writeFile(join(server.workspace, path), 'the end;')
      }
      await server.run()
      const clients = await Promise.all(Array.from({ length: WRITERS }, (_, index) => server.connect(`user${index}`)))
      const files = await Promise.all(clients.map((client) => openText(client, path)))
      let writing = true
      const before = accepted.size
      const writers = files.map((file, index) =>
        write(
          file,
          (count) => `${kill}-${index}-${count};`,
          () => writing,
          (words) => words.forEach((word) => accepted.add(word)),
        ),
      )
      await delay(LIFE_MS * (1 + Math.random()))
      await server.kill('SIGKILL')
      // Answers that were sent before the kill and not read yet are acceptances too.
      await Promise.all(clients.map(lost))
      writing = false
      for (const stop of writers) stop()
      for (const client of clients) client.dispose()

      const started = performance.now()
      await server.run()
      const reader = await server.connect('reader')
      const words = (await openText(reader, path)).text.split(';')
      const recovery = performance.now() - started
      reader.dispose()
      await server.kill('SIGKILL')
      const found = new Set(words)
      yield {
        accepted: accepted.size - before,
        lost: [...accepted].filter((word) => !found.has(word.slice(0, -1))).length,
        // The text ends with a semicolon, and so with one empty word.
        doubled: words.length - found.size,
        recovery,
      }
    }
  } finally {
    await server.stop()
  }
}

async function openText(client: DevServerClient, path: string): Promise<TextFile> {
  const file = await client.files.open(path)
  if (file.kind !== 'text') throw new Error('Not a text')
  return file
}

/** Types one word after the other, each when the last one is accepted, at random places between words. Returns a function that stops it. */
function write(
  file: TextFile,
  wordAt: (count: number) => string,
  isWriting: () => boolean,
  onAccepted: (words: readonly string[]) => void,
): () => void {
  let { text } = file
  let waiting: string[] = []
  let count = 0
  const next = () => {
    if (!isWriting()) return
    const word = wordAt(count)
    count += 1
    const position = text.indexOf(';', Math.floor(Math.random() * text.length)) + 1
    const operation = [position, word, text.length - position].filter((part) => part !== 0)
    text = apply(text, operation)
    waiting.push(word)
    file.edit(operation)
    // A save that the kill interrupts fails, as it should; what counts is what is there afterwards.
    if (count % EDITS_PER_SAVE === 0) file.save().catch(() => undefined)
  }
  const subscriptions = [
    file.onDidApplyRemote(({ operation }) => (text = apply(text, operation))),
    file.onDidChangeSync((state) => {
      if (state !== 'SYNCED') return
      onAccepted(waiting)
      waiting = []
      setImmediate(next)
    }),
  ]
  next()
  return () => subscriptions.forEach((subscription) => subscription.dispose())
}

function lost({ connection }: DevServerClient): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (connection.state.kind === 'CONNECTED') return
      subscription.dispose()
      resolve()
    }
    const subscription = connection.onDidChangeState(check)
    check()
  })
}
