import { ProtocolError } from '@boxyard/protocol'
import type { Area, Connection } from '../area.ts'

/** Something for the command palette. */
export interface OfferedCommand {
  id: string
  displayName: string
  run(connection: Connection): Promise<void>
}

/** What the dev server offers for the command palette. See SPEC-areas.md. */
export function createCommandArea(commands: readonly OfferedCommand[]): Area {
  return {
    handlers: {
      'command/list': () => ({ commands: commands.map(({ id, displayName }) => ({ id, displayName })) }),
      'command/execute': async ({ commandId }, connection) => {
        const command = commands.find(({ id }) => id === commandId)
        if (!command) throw new ProtocolError('COMMAND_NOT_FOUND')
        await command.run(connection)
        return {}
      },
    },
    dispose: () => Promise.resolve(),
  }
}
