import { expect, it } from 'vitest'
import { unknownKeys } from './unknownKeys.ts'

it('WB1019: finds the names that no key has, each once', () => {
  const text = `[
    // mine
    { "key": "ctrl+shift+k", "command": "a" },
    { "key": "ctrl+k cmd+alt-f12", "command": "b", },
    { "key": "ctrl+banana", "command": "c" },
    { "key": "Ctrl+K shift+banana", "command": "-d" },
    { "key": "ctrl+[KeyA] [Nowhere]", "command": "e" },
    { "key": "ctrl++ ctrl+- ctrl+oem_3 numpad0 pageup", "command": "f" },
  ]`
  expect(unknownKeys(text)).toEqual(['banana', '[Nowhere]', '+'])
})

it('WB1019: finds none in a file that is empty, not well-formed or something else', () => {
  for (const text of ['', '[{ "key": ', '{ "key": "banana" }', '[1, { "command": "a" }, { "key": "" }]']) {
    expect(unknownKeys(text)).toEqual([])
  }
})
