import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'

// Of the built app. A page may have five embeds, so each of them has to be light: what its reader waits for is counted as it is sent.

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const KB = 1000

const named = (name: RegExp): string => {
  const found = readdirSync(`${dist}assets`).filter((file) => name.test(file))
  expect(found, String(name)).toHaveLength(1)
  return `assets/${found[0]}`
}

/** A file, and what it can't begin without. */
function withImports(paths: readonly string[]): Set<string> {
  const all = new Set<string>()
  const waiting = [...paths]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (all.has(path)) continue
    all.add(path)
    if (!path.endsWith('.js')) continue
    const text = readFileSync(dist + path, 'utf8')
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g)) waiting.push(`assets/${name}`)
  }
  return all
}

/** Bytes as they are sent. */
const sent = (paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => {
    const isKept = readdirSync(`${dist}assets`).includes(`${path.slice('assets/'.length)}.br`)
    return sum + (isKept ? readFileSync(`${dist}${path}.br`) : brotliCompressSync(readFileSync(dist + path))).length
  }, 0)

const page = readFileSync(`${dist}embed.html`, 'utf8')
const shell = withImports([...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!))

it('BB1043: an embed takes 40 kB before anything of it is seen, and 140 kB more for its code', () => {
  expect(sent(shell)).toBeGreaterThan(5 * KB)
  expect(sent(shell) + brotliCompressSync(page).length).toBeLessThan(40 * KB)
  const code = withImports([named(/^CodeEditor-[\w-]+\.js$/)])
  expect(sent([...code].filter((path) => !shell.has(path)))).toBeLessThan(140 * KB)
})

it('BB1043: its preview takes 1100 kB more, most of it the compiler', () => {
  const engine = withImports([named(/^engineWorker-[\w-]+\.js$/), named(/^oxc-[\w-]+\.js$/)])
  const compiler = named(/^transform\.wasm32-wasip1-[\w-]+\.wasm$/)
  const runner = readFileSync(new URL('../../../../packages/browser-backend/dist/runner.js', import.meta.url))
  expect(sent([...engine, compiler]) + brotliCompressSync(runner).length).toBeLessThan(1100 * KB)
})
