import type { ClientsArea, Connection } from '@boxyard/dev-server-client'
import { Channel, commandChannel, commandSchema } from './channels.ts'
import type { FollowedEditor } from './following.ts'

export interface WindowCommandsOptions {
  client: { readonly clients: Pick<ClientsArea, 'self'>; readonly connection: Connection }
  editor: Pick<FollowedEditor, 'focus' | 'show'>
  /** Shows a word to the person. */
  tell(text: string): void
  onError(error: unknown): void
  addCommand(id: string, title: string, run: () => void | Promise<void>): void
}

/** What a person's windows ask each other: to show the file that one of them shows. */
export function startWindowCommands({ client, editor, tell, onError, addCommand }: WindowCommandsOptions): void {
  const { connection, clients } = client
  let channel: Channel | undefined
  const join = () => {
    channel?.close()
    const { username } = clients.self ?? {}
    if (username === undefined) return
    channel = new Channel({
      connection,
      name: commandChannel(username),
      onMessage({ isUser, data }) {
        const asked = commandSchema.safeParse(data)
        // Anybody may speak in any channel: only another window of the same person is obeyed.
        if (!isUser || !asked.success) return
        const { filepath, currentLine } = asked.data
        editor
          .show({ type: 'FOCUS_FILE', filepath, visibleLines: [currentLine, currentLine], currentLine })
          .catch(onError)
      },
      onSubscribers: () => undefined,
    })
    channel.join().catch(onError)
  }
  connection.onDidJoin(join)
  if (connection.state.kind === 'CONNECTED') join()

  addCommand('boxyard.openInOtherWindows', 'Open This File in My Other Windows', async () => {
    const focus = editor.focus()
    if (!focus) return tell('Open a file first.')
    if (!channel || channel.subscribers.length < 2) return tell('You have this open in no other window.')
    await channel.send({ type: 'OPEN_FILE', filepath: focus.filepath, currentLine: focus.currentLine })
  })
}
