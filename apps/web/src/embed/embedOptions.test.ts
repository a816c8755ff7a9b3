import { expect, it } from 'vitest'
import { defaultEmbedOptions, embedAddress, embedFrame, readEmbedOptions } from './embedOptions.ts'
import type { EmbedOptions } from './embedOptions.ts'

it('reads what an address says, and takes what means nothing as absent', () => {
  expect(readEmbedOptions('')).toEqual(defaultEmbedOptions)
  expect(readEmbedOptions('?view=preview&theme=light&module=/src/App.tsx&readonly&hidenavigation=1')).toEqual({
    ...defaultEmbedOptions,
    view: 'preview',
    theme: 'light',
    file: 'src/App.tsx',
    readOnly: true,
    hideNavigation: true,
  })
  const nonsense = '?view=all&theme=pink&editorsize=900&fontsize=&readonly=false&port=80.5&initialpath=//evil.example'
  expect(readEmbedOptions(nonsense)).toEqual(defaultEmbedOptions)
})

it('writes an address that reads as the same options', () => {
  const options: EmbedOptions = {
    view: 'editor',
    theme: 'dark',
    file: 'a b/ü.ts',
    readOnly: true,
    hideNavigation: true,
    moduleView: true,
    runOnClick: true,
    path: '/about?x=1',
    editorSize: 30,
    fontSize: 16,
    port: 3000,
  }
  const address = embedAddress('https://app.test', 'abc', options)
  expect(readEmbedOptions(new URL(address).search)).toEqual(options)
  expect(embedAddress('https://app.test', 'abc', { view: 'split', file: null })).toBe('https://app.test/embed/abc')
})

it('gives a frame that no title can break out of', () => {
  const frame = embedFrame('https://app.test/embed/a?x=1&y=2', '"><script>alert(1)</script>')
  expect(frame).toContain('src="https://app.test/embed/a?x=1&amp;y=2"')
  expect(frame).not.toContain('<script')
  expect(frame.match(/"/g)?.length).toBe(10)
})
