import { expect, it } from 'vitest'
import { expandAssets } from './expandAssets.ts'

const has = (path: string) => ['/src/a.png', '/src/work.js', '/b.svg'].includes(path)

it('BB975: an address of a file beside the module has its content, and lines keep their numbers', () => {
  const text = 'x\nconst a = new URL("./a.png", import.meta.url).href\nnew URL("/b.svg", import.meta.url)'
  expect(expandAssets('/src/main.ts', text, has)).toBe(
    'import __asset_0 from "/src/a.png?url";import __asset_1 from "/b.svg?url";x\nconst a = new URL(__asset_0).href\nnew URL(__asset_1)',
  )
})

it.each([
  'new URL("./gone.png", import.meta.url)',
  'new URL("https://example.com/a.png", import.meta.url)',
  'new Worker(new URL("./work.js", import.meta.url))',
  'new URL(`./${name}.png`, import.meta.url)',
])('BB975: other addresses stay as they are: %s', (text) => {
  expect(expandAssets('/src/main.ts', text, has)).toBe(text)
})
