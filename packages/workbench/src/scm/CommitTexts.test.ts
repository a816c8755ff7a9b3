import { ProtocolError } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { CommitTexts } from './CommitTexts.ts'

function content(answer: (commit: string, path: string) => Promise<string> = async (_commit, path) => path) {
  const asked: string[] = []
  const contentAt = (commit: string, path: string) => {
    asked.push(path)
    return answer(commit, path)
  }
  return { asked, texts: new CommitTexts({ contentAt }) }
}

it('WB1011: keeps the twenty texts of a commit that were asked for last', async () => {
  const { asked, texts } = content()
  const paths = Array.from({ length: 20 }, (_, at) => `${at}.ts`)
  for (const path of paths) expect(await texts.text(path, 'a')).toBe(path)
  await texts.text('0.ts', 'a')
  expect(asked).toEqual(paths)
  // The one that was looked at longest ago goes.
  await texts.text('new.ts', 'a')
  await texts.text('0.ts', 'a')
  await texts.text('2.ts', 'a')
  expect(asked).toEqual([...paths, 'new.ts'])
  await texts.text('1.ts', 'a')
  expect(asked).toEqual([...paths, 'new.ts', '1.ts'])
})

it('WB1011: keeps nothing of another commit, and nothing that failed', async () => {
  let isDown = true
  const { asked, texts } = content(async (commit, path) => {
    if (path === 'gone.ts') throw new ProtocolError('GIT_REMOTE_FILE_NOT_FOUND')
    if (isDown) throw new Error('No connection')
    return `${commit}:${path}`
  })
  await expect(texts.text('x.ts', 'a')).rejects.toThrow('No connection')
  isDown = false
  expect(await texts.text('x.ts', 'a')).toBe('a:x.ts')
  expect(await texts.text('x.ts', 'b')).toBe('b:x.ts')
  expect(await texts.text('gone.ts', 'b')).toBeNull()
  expect(await texts.text('gone.ts', 'b')).toBeNull()
  expect(asked).toEqual(['x.ts', 'x.ts', 'x.ts', 'gone.ts'])
})
