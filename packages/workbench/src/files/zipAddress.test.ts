import { expect, it } from 'vitest'
import { zipAddress } from './zipAddress.ts'

const previewUrl = async (port: number) => `https://box1-${port}.preview.example.org/?preview_token=a.b`

it('WB986: an archive is fetched with the token of the person, from the host of its port alone', async () => {
  const address = 'https://box1-40123.preview.example.org/se-cret/src%20(1).zip'
  expect(await zipAddress(address, previewUrl)).toBe(
    'https://box1-40123.preview.example.org/se-cret/src%20(1).zip?preview_token=a.b',
  )
  expect(await zipAddress('https://evil-80.example.com/x.zip?preview_token=c#d', previewUrl)).toBe(
    'https://box1-80.preview.example.org/x.zip?preview_token=a.b',
  )
})

it.each(['https://example.org/x.zip', 'https://box-99999.example.org/x.zip', 'no address'])(
  'WB986: what is offered at no port is refused: %s',
  async (offered) => {
    await expect(zipAddress(offered, previewUrl)).rejects.toThrow()
  },
)
