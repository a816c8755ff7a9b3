import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { classicPart, moduleOfPart } from './classicPart.ts'
import { moduleFacts } from './moduleFacts.ts'

const one = `let count=0,last;const up=()=>{count++};const call=function(){return this};let late=call;function swap(){({late,last=count}={late:()=>'swapped'})}
function hidden(count){count=7;return count}const place=()=>import.meta.url;
export{count as a,up as b,late as c,swap as d,hidden as e,place as f}`
const two = `import{a as n,b as up,c as late}from"./one.js";const read=()=>n,inner=n=>n,short=()=>({n}),called=()=>late();up();export{read as r,inner as i,short as s,called as l,up as u}`

type Parts = Record<string, (argument?: unknown) => unknown>

declare global {
  var boxyardParts: { run: Record<string, unknown>; exports: Record<string, Parts> } | undefined
}

afterEach(() => {
  globalThis.boxyardParts = undefined
  vi.unstubAllGlobals()
})

/** Both modules as parts, run by the modules in their places, in a page whose scripts fail `failures` times before they are loaded. */
async function load(failures = 0) {
  const folder = await mkdtemp(join(tmpdir(), 'boxyard-parts-'))
  const asked: string[] = []
  vi.stubGlobal('document', {
    createElement: () => ({ remove: () => {} }),
    head: {
      append: async (script: { src: string; onload: () => void; onerror: () => void }) => {
        asked.push(script.src.slice(script.src.lastIndexOf('/') + 1))
        if (asked.length <= failures) return script.onerror()
        runInThisContext(await readFile(fileURLToPath(script.src), 'utf8'))
        script.onload()
      },
    },
  })
  try {
    const facts = { './one.js': moduleFacts(one), './two.js': moduleFacts(two) }
    const changes = (from: string, imported: string) =>
      facts[from as keyof typeof facts].exports.get(imported)?.changes ?? false
    for (const [name, code] of [
      ['one.js', one],
      ['two.js', two],
    ] as const) {
      const own = facts[`./${name}`]
      await writeFile(join(folder, `${name}.part.js`), classicPart(code, name, own, changes))
      await writeFile(
        join(folder, name),
        moduleOfPart(name, `./${name}.part.js`, own, () => true),
      )
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const { href } = pathToFileURL(join(folder, 'two.js'))
    const parts: Parts = await import(/* @vite-ignore */ href)
    return { parts, asked, folder, exportsOfOne: globalThis.boxyardParts!.exports['./one.js']! as Parts }
  } finally {
    await rm(folder, { recursive: true })
  }
}

it('WB1081: a part sees what an export of another has become, and its own names of the same spelling', async () => {
  const { parts } = await load()
  expect(parts['r']!()).toBe(1)
  parts['u']!()
  expect(parts['r']!()).toBe(2)
  expect(parts['s']!()).toEqual({ n: 2 })
  expect(parts['i']!('own')).toBe('own')
})

it('WB1081: a function that changes is called as a module calls it', async () => {
  const { parts, exportsOfOne } = await load()
  expect(parts['l']!()).toBeUndefined()
  exportsOfOne['d']!()
  expect(parts['l']!()).toBe('swapped')
})

it('WB1081: a part knows the address of the module in whose place it is', async () => {
  const { exportsOfOne, folder } = await load()
  expect(exportsOfOne['f']!()).toBe(pathToFileURL(join(folder, 'one.js')).href)
})

it('WB1081: a script that can not be loaded is asked for once more', async () => {
  const { parts, asked } = await load(1)
  expect(asked).toEqual(['one.js.part.js', 'one.js.part.js', 'two.js.part.js'])
  expect(parts['r']!()).toBe(1)
  globalThis.boxyardParts = undefined
  await expect(load(2)).rejects.toThrow('A part of the editor could not be loaded: file:')
})

it('tells which exports change when a module has run', () => {
  const { exports } = moduleFacts(one)
  expect([...exports].filter(([, { changes }]) => changes).map(([name]) => name)).toEqual(['a', 'c'])
})

it('refuses what a script can not stand for', () => {
  const noChange = () => false
  for (const code of [
    'export default 1',
    'export const a=1',
    'import*as all from"./one.js"',
    'export{a}from"./one.js"',
  ]) {
    expect(() => classicPart(code, 'part.js', moduleFacts(code), noChange)).toThrow("part.js can't be a script")
  }
  const again = 'import{a}from"./one.js";export{a as b}'
  expect(() => classicPart(again, 'part.js', moduleFacts(again), () => true)).toThrow('which changes')
})
