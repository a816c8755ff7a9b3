import { initialize, IUndoRedoService, SyncDescriptor } from '@codingame/monaco-vscode-api'
import getModel from '@codingame/monaco-vscode-model-service-override'
import type { Instance } from '@boxyard/dev-server-client'
import { WireTable } from '@boxyard/dev-server-client/testing'
import type { TextBinding } from '../../src/text/textBinding.ts'
import { undoServiceOf } from '../../src/text/undoService.ts'
import { EditorAuthor } from './editorAuthor.ts'

declare global {
  interface Window {
    /** Where the dev server is, and a token for somebody. */
    instanceOf(name: string): Promise<Instance>
    /** Lets editors edit one text. Rejects with the rule that is broken. */
    runSeed(options: { seed: number; steps: number; breaks: boolean }): Promise<{ undos: number; losses: number }>
  }
}

// Without a workbench: editors with their models, the undo service and the text binding of the workbench, on a real dev server.
const bindings = new Map<string, TextBinding>()
const undo = undoServiceOf({ bindings, reveal: () => undefined })
await initialize({ ...getModel(), [IUndoRedoService.toString()]: new SyncDescriptor(undo.ctor, [], true) })

let authors = 0
const table = await WireTable.open({
  instance: (name) => window.instanceOf(name),
  connect: (url) => {
    const socket = new WebSocket(url)
    return { socket, end: () => socket.close() }
  },
  author: (file) => {
    authors += 1
    return new EditorAuthor({ file, path: `/author/${authors}`, bindings, groups: undo.groups })
  },
})

window.runSeed = async (options) => {
  const { undos, losses } = await table.run(options)
  return { undos, losses }
}
