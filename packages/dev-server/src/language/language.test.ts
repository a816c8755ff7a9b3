import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languageOf, listLanguages } from '@boxyard/protocol'
import { initializeParams } from './serverPrograms.ts'
import { textChange, type TextChange } from './textChange.ts'

/** Does to a text what a language server does, which knows it as lines. */
function applied(text: string, { range, text: inserted }: TextChange): string {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: lineBreak, index }) => index + lineBreak.length)]
  const offset = ({ line, character }: { line: number; character: number }): number => starts[line]! + character
  return text.slice(0, offset(range.start)) + inserted + text.slice(offset(range.end))
}

describe('languages', () => {
  it('LG1: about 30 languages, with the servers that are there', () => {
    const languages = listLanguages(new Set(['typescript', 'css', 'html', 'json']))
    expect(languages.length).toBeGreaterThanOrEqual(30)
    expect(new Set(languages.map(({ id }) => id)).size).toBe(languages.length)
    const served = languages.filter(({ hasLanguageServer }) => hasLanguageServer)
    expect(served.map(({ id, languageServerIds }) => `${id} ${languageServerIds.join()}`)).toEqual([
      'typescript typescript',
      'typescriptreact typescript',
      'javascript typescript',
      'javascriptreact typescript',
      'css css',
      'scss css',
      'less css',
      'html html',
      'json json',
      'jsonc json',
    ])
    for (const { extensions, globs } of languages) for (const one of extensions) expect(globs).toContain(`*${one}`)
    expect(listLanguages(new Set()).some(({ hasLanguageServer }) => hasLanguageServer)).toBe(false)
    expect(languageOf('/a/b.TSX')).toEqual({ languageId: 'typescriptreact', serverId: 'typescript' })
    expect(languageOf('/a/tsconfig.json')).toEqual({ languageId: 'jsonc', serverId: 'json' })
    expect(languageOf('/a/main.go')).toBeUndefined()
  })

  it('LG2: a change makes the old text the new one, and cuts nothing in half', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '\n', '\r\n', '😀', '😁', ' '), { maxLength: 12 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = textChange(before, after)
        if (!change) {
          expect(before).toBe(after)
          return
        }
        expect(applied(before, change)).toBe(after)
        expect(change.text).not.toMatch(/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/)
      }),
    )
    expect(textChange('one\ntwo\nthree', 'one\ntwenty\nthree')).toEqual({
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } },
      text: 'enty',
    })
  })

  it('LG9: nobody chooses what a server runs, or where', () => {
    const capabilities = { workspace: { own: true }, textDocument: {} }
    const program = { command: '/ours/node', arguments: [], initializationOptions: { locale: 'en' }, capabilities }
    const params = initializeParams(program, '/project/work space', {
      processId: 1,
      rootUri: 'file:///etc',
      capabilities: { x: 1, workspace: { own: false, theirs: true } },
      initializationOptions: {
        locale: 'de',
        tsserver: { path: '/project/workspace/evil.js' },
        plugins: [{ name: 'evil', location: '/project/workspace' }],
        preferences: { quotePreference: 'single' },
      },
    })
    expect(params).toMatchObject({
      processId: process.pid,
      rootUri: 'file:///project/work%20space',
      capabilities: { x: 1, workspace: { own: true, theirs: true }, textDocument: {} },
      initializationOptions: { locale: 'en', preferences: { quotePreference: 'single' } },
    })
    expect(JSON.stringify(params)).not.toContain('evil')
  })
})
