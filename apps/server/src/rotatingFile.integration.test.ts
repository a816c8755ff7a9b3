import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RotatingFile } from './rotatingFile.ts'
import { temporaryFolder } from './testing/folders.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder('log')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const contents = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

describe('a rotating file', () => {
  it('keeps the youngest lines and a bounded number of files', () => {
    const file = new RotatingFile({ path: join(folder, 'x.log'), maxBytes: 8, keep: 2 })
    for (let line = 1; line <= 9; line += 1) file.write(`${line}..\n`)
    expect(contents()).toEqual({ 'x.log': '9..\n', 'x.log.1': '7..\n8..\n', 'x.log.2': '5..\n6..\n' })
  })

  it('goes on where an earlier program stopped, and is readable by its owner alone', () => {
    const options = { path: join(folder, 'x.log'), maxBytes: 8, keep: 1 }
    new RotatingFile(options).write('1..\n')
    expect(statSync(options.path).mode & 0o777).toBe(0o600)
    const next = new RotatingFile(options)
    next.write('2..\n')
    next.write('3..\n')
    expect(contents()).toEqual({ 'x.log': '3..\n', 'x.log.1': '1..\n2..\n' })
  })

  it('outlives a place that takes nothing, and says what is missing', () => {
    const path = join(folder, 'x.log')
    mkdirSync(path)
    const file = new RotatingFile({ path, maxBytes: 1000, keep: 1, now: () => new Date(5) })
    file.write('lost\n')
    file.write('lost too\n')
    rmdirSync(path)
    file.write('kept\n')
    expect(contents()).toEqual({ 'x.log': '{"level":40,"time":5,"msg":"2 lines could not be written"}\nkept\n' })
  })
})
