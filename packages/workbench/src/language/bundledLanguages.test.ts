import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHighlighterCore, type HighlighterCore, type LanguageRegistration } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { colorThemes } from '../theme/common/colorThemes.ts'
import { loadGrammar, moreGrammars, moreLanguages } from './moreLanguages.ts'

const manifestSchema = z.object({
  contributes: z.object({
    grammars: z
      .array(
        z.object({
          scopeName: z.string(),
          path: z.string(),
          language: z.string().optional(),
          injectTo: z.array(z.string()).optional(),
        }),
      )
      .default([]),
  }),
})

/** A busy machine compiles a grammar slowly, and a text is left without colors after half a second. */
const NO_LIMIT = 0

/** The modules that bring extensions of VS Code into the workbench. */
const importers = ['../startup/start.ts', './grammars.ts', '../startup/late.ts']

/** Every grammar that the workbench brings, with the language that it is of. */
async function bundledGrammars(): Promise<{ language?: string | undefined; grammar: LanguageRegistration }[]> {
  const sources = await Promise.all(
    importers.map((path) => readFile(fileURLToPath(new URL(path, import.meta.url)), 'utf8')),
  )
  const names = sources.flatMap((source) =>
    [...source.matchAll(/^import '(@codingame\/monaco-vscode-[\w-]+-default-extension)'$/gm)].map(([, name]) => name!),
  )
  const found = await Promise.all(
    names.map(async (name) => {
      const folder = dirname(fileURLToPath(import.meta.resolve(name)))
      const files = new Map(
        [
          ...(await readFile(join(folder, 'index.js'), 'utf8')).matchAll(
            /registerFileUrl\('([^']+)', new URL\('([^']+)'/g,
          ),
        ].map(([, path, place]) => [path!, place!]),
      )
      const manifest = manifestSchema.safeParse(
        JSON.parse(await readFile(join(folder, files.get('package.json')!), 'utf8')),
      )
      // That of regular expressions is a property list, which is not read here.
      const grammars = manifest.data?.contributes.grammars.filter(({ path }) => path.endsWith('.json')) ?? []
      return Promise.all(
        grammars.map(async ({ language, scopeName, path, injectTo }) => {
          const text = await readFile(join(folder, files.get(path.replace(/^\.\//, ''))!), 'utf8')
          const grammar = { ...JSON.parse(text), name: scopeName, scopeName, ...(injectTo && { injectTo }) }
          return { language, grammar: grammar as LanguageRegistration }
        }),
      )
    }),
  )
  const late = await Promise.all(
    [...moreLanguages, ...moreGrammars].map(async (one) => {
      const { embeddedLangs: _, embeddedLangsLazy: __, ...grammar } = (await loadGrammar(one)) as LanguageRegistration
      const injectTo = 'injectTo' in one ? { injectTo: [...one.injectTo] } : {}
      return {
        language: 'id' in one ? one.id : undefined,
        grammar: { ...grammar, ...injectTo, name: one.scopeName, aliases: [] },
      }
    }),
  )
  return [...found.flat(), ...late]
}

let highlighter: HighlighterCore
const scopes = new Map<string, string>()
beforeAll(async () => {
  const grammars = await bundledGrammars()
  for (const { language, grammar } of grammars) if (language) scopes.set(language, grammar.scopeName)
  highlighter = await createHighlighterCore({
    themes: [colorThemes.dark],
    langs: grammars.map(({ grammar }) => grammar),
    engine: createOnigurumaEngine(import('shiki/wasm')),
  })
})

it.each([
  ['typescript', 'const answer: number = 42 // known'],
  ['typescriptreact', 'const page = <h1 title="a">{answer}</h1>'],
  ['javascript', 'const answer = `${6 * 7}`'],
  ['javascriptreact', 'const page = <h1 title="a">{answer}</h1>'],
  ['css', 'a:hover { color: #fff; }'],
  ['scss', '$ground: #fff; a { color: $ground; }'],
  ['less', '@ground: #fff; a { color: @ground; }'],
  ['html', '<a href="/page">text</a>'],
  ['json', '{ "answer": 42 }'],
  ['jsonc', '{ "answer": 42 } // known'],
  ['markdown', '# Title with **weight** and `code`'],
  ['yaml', 'answer: 42 # known'],
  ['sql', "SELECT name FROM people WHERE id = 'a'"],
  ['python', 'def answer(): return "42"'],
  ['go', 'func answer() int { return 42 }'],
  ['rust', 'fn answer() -> u32 { 42 }'],
  ['java', 'class Answer { int value = 42; }'],
  ['c', 'int answer(void) { return 42; }'],
  ['cpp', 'auto answer = std::string("42");'],
  ['csharp', 'public int Answer() => 42;'],
  ['php', '<?php echo "answer"; ?>'],
  ['ruby', 'def answer; "42"; end'],
  ['shellscript', 'if [ -n "$answer" ]; then echo 42; fi'],
  ['dockerfile', 'FROM node:20 AS build'],
  ['xml', '<answer value="42">text</answer>'],
  ['swift', 'func answer() -> Int { return 42 }'],
  ['dart', "String answer() => '42';"],
  ['lua', 'local answer = "42"'],
  ['r', 'answer <- function(x) "42"'],
  ['perl', 'my $answer = "42";'],
  ['powershell', '$answer = "42" # known'],
  ['ini', 'answer = "42"'],
  ['vue', '<template><p :title="answer">{{ answer + 1 }}</p></template>'],
  ['svelte', '{#if answer}<p title="a">{answer}</p>{/if}'],
  ['astro', '<p title="a">{answer}</p>'],
  ['mdx', '# Title with <Answer value={42} />'],
  ['toml', 'answer = 42 # known'],
  ['graphql', 'type Query { answer(id: ID!): Int }'],
  ['prisma', 'model Person { id Int @id }'],
  ['proto3', 'message Person { string name = 1; }'],
  ['kotlin', 'fun answer(): String = "42"'],
  ['scala', 'def answer: String = "42"'],
  ['elixir', 'def answer, do: "42"'],
  ['haskell', 'answer = "42" :: String'],
  ['zig', 'const answer: u8 = 42;'],
  ['stylus', 'a { color: #fff } // known'],
])('WB922: a text of %s has its colors', (language, line) => {
  const lang = scopes.get(language)
  expect(lang, `there is no grammar of ${language}`).toBeDefined()
  const [tokens] = highlighter.codeToTokensBase(line, {
    lang: lang!,
    theme: colorThemes.dark.name,
    tokenizeTimeLimit: NO_LIMIT,
  })
  expect(tokens!.map(({ content }) => content).join('')).toBe(line)
  expect(
    new Set(tokens!.filter(({ content }) => content.trim() !== '').map(({ color }) => color)).size,
  ).toBeGreaterThan(1)
})

it('WB922: what is of another language within a page has the colors of that language', () => {
  const text = '<script lang="ts">\nconst answer: number = 42\n</script>'
  for (const language of ['vue', 'svelte']) {
    const lines = highlighter.codeToTokensBase(text, {
      lang: scopes.get(language)!,
      theme: colorThemes.dark.name,
      includeExplanation: 'scopeName',
      tokenizeTimeLimit: NO_LIMIT,
    })
    const scopesOf = lines[1]!.flatMap(({ explanation = [] }) =>
      explanation.flatMap((one) => one.scopes.map(({ scopeName }) => scopeName)),
    )
    expect(scopesOf, language).toContain('storage.type.ts')
  }
})
