import type { VsCodeServerPlace } from '@boxyard/workbench'
import { z } from 'zod'
import type { RestClient } from '../api/RestClient.ts'

const startSchema = z.discriminatedUnion('result', [
  z.object({ result: z.literal('running'), port: z.number(), token: z.string(), commit: z.string() }),
  z.object({ result: z.literal('error'), error: z.string() }),
])

/** The VS Code server of a devbox. Whether somebody wants it is kept in the browser, for each box and person. */
export function vsCodeServerPlace(
  rest: RestClient,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  { boxId, userId }: { boxId: string; userId: string },
): VsCodeServerPlace {
  const key = `boxyard.vscode.${userId}.${boxId}`
  return {
    isWanted: () => storage.getItem(key) !== null,
    setWanted: (isWanted) => (isWanted ? storage.setItem(key, 'yes') : storage.removeItem(key)),
    start: () => rest.post(`/api/vm/${encodeURIComponent(boxId)}/vscode-server`, { schema: startSchema, body: {} }),
  }
}
