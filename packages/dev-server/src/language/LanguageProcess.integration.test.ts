import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualTimers } from '../shell/manualTimers.ts'
import { LanguageProcess } from './LanguageProcess.ts'

/** A server that answers nothing and notes what it hears. */
const deaf = `
let text = ''
process.stdin.on('data', (chunk) => {
  text += chunk
  if (text.includes('$/cancelRequest')) {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'heard/cancel' })
    process.stdout.write('Content-Length: ' + body.length + '\\r\\n\\r\\n' + body)
    text = ''
  }
})
process.stdin.on('end', () => process.exit(0))
`

describe('a process of a language server', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boxyard-language-'))
    await writeFile(join(folder, 'deaf.cjs'), deaf)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('LG10: a request is given up after 10 minutes or when its client leaves, and the server is told', async () => {
    const timers = new ManualTimers()
    const heard: string[] = []
    let wake = (): void => undefined
    const language = new LanguageProcess({
      command: process.execPath,
      arguments: [join(folder, 'deaf.cjs')],
      cwd: folder,
      environment: {},
      timers,
      onNotification: (method) => {
        heard.push(method)
        wake()
      },
      onRequest: () => Promise.resolve(null),
      onCrash: () => undefined,
      report: (error) => {
        throw error
      },
    })
    const nextNotice = (): Promise<void> => new Promise((resolve) => (wake = resolve))
    const slow = language.request('slow', {})
    slow.catch(() => undefined)
    let told = nextNotice()
    timers.pass(10 * 60_000 - 1)
    expect(heard).toEqual([])
    timers.pass(1)
    await expect(slow).rejects.toThrow('Failed to send request: slow was not answered within 10 minutes')
    await told
    told = nextNotice()
    const client = new AbortController()
    const abandoned = language.request('abandoned', {}, client.signal)
    client.abort()
    await expect(abandoned).rejects.toMatchObject({ code: 0 })
    await told
    expect(heard).toEqual(['heard/cancel', 'heard/cancel'])
    const ending = language.end()
    timers.pass(2000)
    await ending
    await expect(language.request('late', {})).rejects.toThrow(
      'Failed to send request: the language server stopped during late',
    )
  })
})
