import { expect, it } from 'vitest'
import { NO_ROOM_TEXT } from './noRoomText.ts'
import { sayNoRoom } from './sayNoRoom.ts'

it('WB750: a save on a full disk fails in our words alone, any other one as ever', () => {
  const said: string[] = []
  const files = { saveErrorHandler: { onSaveError: ({ message }: Error) => void said.push(message) } }
  sayNoRoom(files, () => said.push('once'))
  const fail = (message: string): void => files.saveErrorHandler.onSaveError(new Error(message))
  fail(`Unable to write file '/a' (FileExceedsStorageQuota (FileSystemError): ${NO_ROOM_TEXT})`)
  fail('The file is newer')
  expect(said).toEqual(['once', NO_ROOM_TEXT, 'The file is newer'])
})
