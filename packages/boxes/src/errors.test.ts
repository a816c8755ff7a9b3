import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { BoxError, boxErrors } from './errors.ts'

it('BX23: every code is raised by the package', async () => {
  const files = await readdir(import.meta.dirname, { recursive: true })
  const sources = files.filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^testing\/|^errors\.ts$/.test(file))
  const texts = await Promise.all(sources.map((file) => readFile(path.join(import.meta.dirname, file), 'utf8')))
  const text = texts.join('\n')
  const unused = Object.keys(boxErrors).filter((code) => !text.includes(`'${code}'`))
  expect(unused).toEqual([])
})

it('BX24: an error says what happened and what to do next, in plain sentences', () => {
  for (const { message, next } of Object.values(boxErrors)) {
    expect(message).toMatch(/^[A-Z][^!]*[^.!]$/)
    expect(next).toMatch(/^[A-Z][^!]*\.$/)
  }
  expect(new BoxError('DISK_FULL', 'no space')).toMatchObject({ code: 'DISK_FULL', detail: 'no space' })
  expect(new BoxError('DISK_FULL').message).toBe('The disk of the host is full')
})
