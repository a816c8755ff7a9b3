// The rules check: every numbered rule of a SPEC file stands in the title of a test, every number in a title is a rule, and no number
// is given twice. Prints each breach with its file.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

function* files(folder) {
  for (const entry of readdirSync(folder)) {
    if (entry === 'node_modules' || entry === 'dist') continue
    const path = join(folder, entry)
    if (statSync(path).isDirectory()) yield* files(path)
    else yield path
  }
}

const all = ['apps', 'packages', 'playground', 'bench', 'scripts'].flatMap((folder) => [...files(join(root, folder))])
const breaches = []

/** Rules are list items (`- **AB1** text`, `- **AB1**, **AB2** text`, `- **AB1** to **AB3** text`) or rows of a table (`| AB1 | text |`). */
function rulesOf(text) {
  const found = [...text.matchAll(/^\| ([A-Z]+\d+) +\|/gm)].map(([, id]) => id)
  for (const [, head] of text.matchAll(/^- ((?:\*\*[A-Z]+\d+(?:, [A-Z]+\d+)*\*\*(?:, | and | to )?)+)/gm)) {
    const ids = head.match(/[A-Z]+\d+/g)
    found.push(...ids)
    if (!head.includes(' to ')) continue
    const [first, last] = ids.slice(-2)
    const prefix = first.replace(/\d+$/, '')
    for (let n = Number(first.slice(prefix.length)) + 1; n < Number(last.slice(prefix.length)); n++)
      found.push(prefix + n)
  }
  return found
}

const rules = new Map()
for (const path of all.filter((path) => /^SPEC(-[a-z-]+)?\.md$/.test(basename(path)))) {
  for (const id of rulesOf(readFileSync(path, 'utf8'))) {
    const first = rules.get(id)
    if (first) breaches.push(`${relative(root, path)}: ${id} is given already in ${first}`)
    rules.set(id, relative(root, path))
  }
}

const prefixes = [...new Set([...rules.keys()].map((id) => id.replace(/\d+$/, '')))]
/** A title begins with the rules it proves: `AB1: ...` or `AB1, AB2: ...`. */
const titles = new RegExp(`['"\`]((?:(?:${prefixes.join('|')})\\d+(?:, )?)+):`, 'g')
const proven = new Set()
for (const path of all.filter((path) => /\.test\.tsx?$|[cC]ontract\w*\.ts$|[/]testing[/]/.test(path))) {
  for (const [, ids] of readFileSync(path, 'utf8').matchAll(titles)) {
    for (const id of ids.split(', ')) {
      proven.add(id)
      if (!rules.has(id)) breaches.push(`${relative(root, path)}: ${id} is in a title and is no rule`)
    }
  }
}
for (const [id, path] of rules) if (!proven.has(id)) breaches.push(`${path}: ${id} stands in no title of a test`)

for (const breach of breaches) console.error(breach)
console.log(`${rules.size} rules, ${breaches.length} breaches`)
process.exit(breaches.length === 0 ? 0 : 1)
