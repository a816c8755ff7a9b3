import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevServerClient } from '@boxyard/dev-server-client'
import { baseLength, targetLength, transformPosition } from '@boxyard/ot'
import { buildDevServer } from '../buildDevServer.ts'
import { DevServerProcess } from '../devServerProcess.ts'
import { Caret } from './caret.ts'
import type { Typing, Typist } from './typing.ts'

/** The dev server with the client that the editor uses. */
export async function startBoxyardTyping(): Promise<Typing> {
  const server = await DevServerProcess.create(await buildDevServer())
  await server.run()
  let documents = 0
  return {
    async open(count, text) {
      documents += 1
      const path = `document${documents}.txt`
      await writeFile(join(server.workspace, path), text)
      const clients = await Promise.all(Array.from({ length: count }, (_, index) => server.connect(`user${index}`)))
      const typists = await Promise.all(clients.map((client) => typistOf(client, path)))
      return {
        typists,
        async close() {
          for (const client of clients) client.dispose()
        },
      }
    },
    stop: () => server.stop(),
  }
}

/** Somebody who types in a document that a client opens. */
export async function typistOf(client: DevServerClient, path: string): Promise<Typist> {
  const file = await client.files.open(path)
  if (file.kind !== 'text') throw new Error('Not a text')
  let { length } = file.text
  let waiting: (() => void)[] = []
  const caret = new Caret()
  file.onDidApplyRemote(({ operation }) => {
    length += targetLength(operation) - baseLength(operation)
    caret.position = transformPosition(caret.position, operation, 'left')
  })
  file.onDidChangeSync((state) => {
    if (state === 'OUT_OF_SYNC') throw new Error('The dev server refused an edit')
    if (state !== 'SYNCED') return
    const accepted = waiting
    waiting = []
    for (const tell of accepted) tell()
  })
  return {
    type(accepted) {
      const position = caret.next(length)
      waiting.push(accepted)
      file.edit(
        [position, 'a', length - position].filter((part) => part !== 0),
        caret.burst,
      )
      length += 1
    },
  }
}
