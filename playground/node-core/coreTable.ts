import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const repository = resolve(import.meta.dirname, '../..')

/** How each test ended, by its name: `passed`, or in what it failed. */
export type Results = Readonly<Record<string, string>>

export interface ModuleResults {
  /** In the Node of this machine; what fails there says nothing about the browser. */
  inNode: Results
  /** Of those that pass there. */
  here: Results
  /** Why tests were not run at all, and how many. */
  skipped: Readonly<Record<string, number>>
}

/** Why a test fails, as far as its last words tell. The first that fits. */
const REASONS: readonly (readonly [reason: string, words: RegExp])[] = [
  ['does not end', /^does not end/],
  ['needs what a page has not', /browser mode|ERR_FEATURE_UNAVAILABLE/],
  [
    'a function or a module is missing',
    /is not a (?:function|constructor)|Cannot find module|No such built-in module|is not defined|undefined \(reading/,
  ],
  [
    'other words, or no error, for a wrong argument',
    /Missing expected|ERR_INVALID_ARG|ERR_OUT_OF_RANGE|to match the regular|validation|deep.?equal/i,
  ],
  ['a callback that is called another number of times', /wanted /],
]
const reasonOf = (words: string): string => REASONS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'another answer'

const [BEGIN, END] = ['<!-- core tests -->', '<!-- end of core tests -->']
const HEAD = '| module | pass | of those that apply | the others | left out |\n| --- | --- | --- | --- | --- |'
const guide = join(repository, 'docs/guides/browser-programs.md')

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

function rowOf(module: string, { inNode, here, skipped }: ModuleResults): string {
  const results = Object.values(here)
  const failed: Record<string, number> = {}
  for (const words of results.filter((one) => one !== 'passed'))
    failed[reasonOf(words)] = (failed[reasonOf(words)] ?? 0) + 1
  const elsewhere = Object.values(inNode).length - results.length
  const left = { ...skipped, ...(elsewhere > 0 ? { 'fails here in Node too': elsewhere } : {}) }
  const passed = results.filter((one) => one === 'passed').length
  return `| \`${module}\` | ${passed} | ${results.length} | ${listed(failed)} | ${listed(left)} |`
}

/** Writes the rows of these modules into the guide; those of others stay. */
export function writeCoreTable(results: Readonly<Record<string, ModuleResults>>): void {
  const text = readFileSync(guide, 'utf8')
  const [before = '', rest = ''] = text.split(BEGIN)
  const [table = '', after = ''] = rest.split(END)
  const rows = new Map([...table.matchAll(/^\| `(\w+)` \|.*$/gm)].map(([row, module]) => [module!, row]))
  for (const [module, given] of Object.entries(results)) rows.set(module, rowOf(module, given))
  const sorted = [...rows].toSorted(([a], [b]) => a.localeCompare(b)).map(([, row]) => row)
  writeFileSync(guide, `${before}${BEGIN}\n\n${[HEAD, ...sorted].join('\n')}\n\n${END}${after}`)
}
