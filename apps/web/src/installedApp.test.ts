import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../public/${path}`, import.meta.url))

it('BB1042: the app is installed with icons of the sizes that systems ask for, one of them to be cut by the system', () => {
  const { icons } = JSON.parse(read('app.webmanifest').toString()) as {
    icons: { src: string; sizes: string; type: string; purpose: string }[]
  }
  const pictures = icons.filter(({ type }) => type === 'image/png')
  expect(pictures.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of pictures) {
    const content = read(src.slice(1))
    // The header of a PNG: its mark, then width and height.
    expect(content.subarray(1, 4).toString()).toBe('PNG')
    expect(`${content.readUInt32BE(16)}x${content.readUInt32BE(20)}`).toBe(sizes)
  }
})
