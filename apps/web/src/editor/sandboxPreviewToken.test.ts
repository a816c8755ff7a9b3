import { expect, it, vi } from 'vitest'
import { RequestError } from '../api/RequestError.ts'
import { sandboxPreviewToken } from './sandboxPreviewToken.ts'

const signedIn = { isSignedIn: true }

it('BB955: the preview of a sandbox opens without a token while no server answers', async () => {
  const previewToken = vi.fn(async () => 'a-token')
  expect(await sandboxPreviewToken({ previewToken }, signedIn)).toBe('a-token')
  previewToken.mockRejectedValueOnce(new RequestError({ status: 0, message: 'The server does not answer' }))
  expect(await sandboxPreviewToken({ previewToken }, signedIn)).toBeNull()
  // A server that refuses has a reason, which is told.
  previewToken.mockRejectedValueOnce(new RequestError({ status: 403, message: 'Not yours' }))
  await expect(sandboxPreviewToken({ previewToken }, signedIn)).rejects.toThrow('Not yours')
})

it('AP944: who is not signed in looks at public previews without a token', async () => {
  const previewToken = vi.fn(async () => 'a-token')
  expect(await sandboxPreviewToken({ previewToken }, { isSignedIn: false })).toBeNull()
  expect(previewToken).not.toHaveBeenCalled()
})
