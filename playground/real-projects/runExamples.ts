import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInThreads } from '../node-core/runInThreads.ts'
import { expressExamples } from './expressExamples.ts'

// npx tsx playground/real-projects/runExamples.ts SOURCES [WORDS]
//
// Runs Express's own examples, which its package does not bring, with the packages of Express 4 and 5, and asks them as its tests do.
// SOURCES: a folder of Express's sources. Each example is a process as it is in a browser, in a thread of Node.

const [sources, words] = process.argv.slice(2)
if (sources === undefined) throw new Error('Which folder has the sources of Express?')
/** What the examples take beside Express, in the versions for which they were written. */
const PACKAGES = [
  'cookie-parser@1.4.6',
  'cookie-session@2.0.0',
  'ejs@3.1.8',
  'escape-html@1.0.3',
  'express-session@1.17.2',
  'hbs@4.2.0',
  'http-errors@2.0.0',
  'marked@0.7.0',
  'method-override@3.0.0',
  'morgan@1.10.0',
  'multiparty@4.2.3',
  'pbkdf2-password@1.2.1',
  'vhost@3.0.2',
]

const LEFT_OUT = /^(?:\.bin|test|tests|docs|benchmarks)$/
/** The files below a folder, as texts. */
function filesOf(folder: string, inside: string): Record<string, string> {
  const files: Record<string, string> = {}
  const read = (path: string, place: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (LEFT_OUT.test(entry.name)) continue
      if (entry.isDirectory()) read(join(path, entry.name), `${place}/${entry.name}`)
      else if (!/\.(?:map|d\.ts|md)$/.test(entry.name) || place.startsWith('examples'))
        files[`${place}/${entry.name}`] = readFileSync(join(path, entry.name), 'utf8')
    }
  }
  read(folder, inside)
  return files
}

const scripts = mkdtempSync(join(tmpdir(), 'examples-scripts-'))
const builder = new URL('../../packages/browser-backend/build.mjs', import.meta.url).href
const { buildPreviewScripts } = (await import(builder)) as { buildPreviewScripts(folder: string): Promise<void> }
await buildPreviewScripts(scripts)
const asks = Object.fromEntries(
  Object.entries(expressExamples)
    .filter(([name]) => words === undefined || new RegExp(words).test(name))
    .map(([name, list]) => [name, list.map((one) => ({ ...one, shows: one.shows.source }))]),
)
for (const version of ['4.22.3', '5.3.0']) {
  const work = mkdtempSync(join(tmpdir(), 'examples-'))
  writeFileSync(join(work, 'package.json'), '{"private":true}')
  const options = ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', [...options, `express@${version}`, ...PACKAGES], { cwd: work })
  const modules = join(work, 'node_modules')
  const express = join(modules, 'express')
  const results = await runInThreads(
    {
      ...filesOf(modules, 'node_modules'),
      ...filesOf(join(sources, 'examples'), 'examples'),
      // The examples take Express by the path to its own sources.
      ...filesOf(join(express, 'lib'), 'lib'),
      'index.js': readFileSync(join(express, 'index.js'), 'utf8'),
      'package.json': readFileSync(join(express, 'package.json'), 'utf8'),
      'run.cjs': readFileSync(join(import.meta.dirname, 'askExamples.cjs'), 'utf8'),
      'asks.json': JSON.stringify(asks),
    },
    scripts,
  )
  console.log(`express ${version}`, JSON.stringify(results, null, 1))
  rmSync(work, { recursive: true })
}
rmSync(scripts, { recursive: true })
process.exit()
