import type { Node } from 'estree'
import { walk } from 'estree-walker'
import MagicString from 'magic-string'
import { eachIdentifier, type ModuleFacts, type Placed } from './moduleFacts.ts'

/**
 * The module `code` as a script without imports and exports: it leaves a function in `globalThis.boxyardParts.run`, by `name`, that is given the parts and modules by the
 * names that they are imported by, and its own address, and answers its exports. `changes` tells exports of others that may not be read before they are used.
 *
 * The function is in parentheses, by which engines know that it will be called: they compile it with the script, and keep what they compiled.
 */
export function classicPart(
  code: string,
  name: string,
  facts: ModuleFacts,
  changes: (from: string, imported: string) => boolean,
): string {
  const { program, imports, exports, statements, others } = facts
  if (others.length > 0) throw new Error(`${name} can't be a script: it has ${others.join(' ')}`)
  const script = new MagicString(code)
  const lines: string[] = []
  const changing = new Map<string, string>()
  for (const { from, names, start, end } of imports) {
    script.remove(start, end)
    const stay = names.filter(({ imported }) => !changes(from, imported))
    if (stay.length > 0)
      lines.push(
        `const {${stay.map(({ imported, local }) => `${imported}:${local}`).join(',')}}=$from[${JSON.stringify(from)}];`,
      )
    for (const { imported, local } of names)
      if (changes(from, imported)) changing.set(local, `$from[${JSON.stringify(from)}].${imported}`)
  }
  for (const { start, end } of statements) script.remove(start, end)
  walk(program, {
    enter(node) {
      const { start, end } = node as Placed<Node>
      if (node.type === 'MetaProperty' && node.meta.name === 'import') script.overwrite(start, end, '$meta')
    },
  })
  if (changing.size > 0)
    eachIdentifier(facts, (local, { node, parent, isOfModule }) => {
      const read = changing.get(local)
      if (read === undefined || parent.type === 'ImportSpecifier' || parent.type === 'ExportSpecifier' || !isOfModule())
        return
      if (parent.type === 'Property' && parent.shorthand) script.appendLeft(node.end, `:${read}`)
      else script.overwrite(node.start, node.end, parent.type === 'CallExpression' ? `(0,${read})` : read)
    })
  for (const { local } of exports.values())
    if (changing.has(local)) throw new Error(`${name} exports ${changing.get(local)!} of another part, which changes`)
  const answer = [...exports].map(([exported, { local, changes: isChanging }]) =>
    isChanging ? `get ${exported}(){return ${local}}` : `${exported}:${local}`,
  )
  script.prepend(
    `(globalThis.boxyardParts??={run:{},exports:{}}).run[${JSON.stringify(name)}]=(function($from,$meta){"use strict";${lines.join('')}`,
  )
  script.append(`\n;return{${answer.join(',')}}});`)
  return script.toString()
}

/**
 * A module in place of the one that became the script at `path`: it loads the script beside what others load, runs it after everything that it imports, and
 * exports what it answers. What of it changes is exported to other parts only.
 */
export function moduleOfPart(
  name: string,
  path: string,
  { imports, exports }: ModuleFacts,
  isPart: (from: string) => boolean,
): string {
  const lines = imports.map(({ from }, at) =>
    isPart(from) ? `import${JSON.stringify(from)};` : `import*as $${at} from${JSON.stringify(from)};`,
  )
  const modules = imports.flatMap(({ from }, at) => (isPart(from) ? [] : [`${JSON.stringify(from)}:$${at}`]))
  const stay = [...exports].filter(([, { changes }]) => !changes).map(([exported]) => exported)
  const load = `const load=()=>new Promise((loaded,failed)=>{const script=document.createElement("script");script.crossOrigin="anonymous";script.onload=loaded;script.onerror=()=>{script.remove();failed(new Error("A part of the editor could not be loaded: "+script.src))};script.src=new URL(${JSON.stringify(path)},import.meta.url).href;document.head.append(script)});`
  // A module that has failed once is never run again.
  const run = `await load().catch(load);const parts=globalThis.boxyardParts;const $exports=parts.run[${JSON.stringify(name)}]({...parts.exports,${modules.join(',')}},{url:import.meta.url});parts.exports[${JSON.stringify(`./${name}`)}]=$exports;`
  const constants = stay.map((exported, at) => `const e${at}=$exports.${exported};`)
  return `${lines.join('')}${load}${run}${constants.join('')}export{${stay.map((exported, at) => `e${at} as ${exported}`).join(',')}};`
}
