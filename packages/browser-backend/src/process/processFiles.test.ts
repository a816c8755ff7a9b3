import { describe, expect, it } from 'vitest'
import type { FileChange } from '../common/fromProcess.ts'
import { Handles } from './handles.ts'
import { makeFs } from './modules/fs/makeFs.ts'
import { ProcessFiles } from './processFiles.ts'

function begin(given: Readonly<Record<string, string>> = {}) {
  const told: FileChange[] = []
  const files = new ProcessFiles((change) => told.push(change))
  files.fill(Object.entries(given).map(([path, text]) => [`/nodebox/${path}`, text] as const))
  const later = (work: () => void) => queueMicrotask(work)
  const fs = makeFs({
    files,
    handles: new Handles(later),
    cwd: () => '/nodebox',
    later,
    writeStandard: () => undefined,
  })
  return { told, files, fs }
}

describe('the files of a process', () => {
  it('BB835: answer with what it wrote at once, and tell it to the back end; packages are its own', () => {
    const { told, fs } = begin({ 'a.txt': 'one' })
    fs.writeFileSync('a.txt', 'two')
    fs.mkdirSync('deep/er', { recursive: true })
    fs.appendFileSync('/nodebox/deep/er/b.txt', 'x')
    fs.renameSync('a.txt', 'deep/c.txt')
    fs.mkdirSync('node_modules/.cache', { recursive: true })
    fs.writeFileSync('node_modules/.cache/x', 'own')
    fs.writeFileSync('/tmp/x', 'own')
    expect(fs.readFileSync('deep/c.txt', 'utf8')).toBe('two')
    expect(fs.readdirSync('.', { recursive: true }).filter((path: string) => !path.startsWith('node_modules'))).toEqual(
      ['deep', 'deep/c.txt', 'deep/er', 'deep/er/b.txt'],
    )
    expect(told.map((change) => (change.kind === 'rename' ? change.to : change.path))).toEqual([
      '/nodebox/a.txt',
      '/nodebox/deep',
      '/nodebox/deep/er',
      '/nodebox/deep/er/b.txt',
      '/nodebox/deep/c.txt',
    ])
  })

  it('BB835: take over what changes elsewhere, but nothing older than what the process wrote', () => {
    const { files, fs } = begin({ 'a.txt': 'one', 'b.txt': 'one' })
    const seen: unknown[] = []
    fs.watch('/nodebox', (event: string, name: string) => seen.push([event, name]))
    fs.writeFileSync('a.txt', 'mine')
    files.adopt(
      new Map([
        ['/a.txt', 'older'],
        ['/b.txt', 'theirs'],
        ['/c.txt', 'new'],
      ]),
    )
    expect([fs.readFileSync('a.txt', 'utf8'), fs.readFileSync('b.txt', 'utf8')]).toEqual(['mine', 'theirs'])
    files.stored(['/nodebox/a.txt'])
    files.adopt(
      new Map<string, string | null>([
        ['/a.txt', 'newer'],
        ['/b.txt', null],
      ]),
    )
    expect([fs.readFileSync('a.txt', 'utf8'), fs.existsSync('b.txt')]).toEqual(['newer', false])
    expect(seen).toEqual([
      ['change', 'a.txt'],
      ['change', 'b.txt'],
      ['rename', 'c.txt'],
      ['change', 'a.txt'],
      ['rename', 'b.txt'],
    ])
  })

  it.each([
    ['readFileSync', ['none'], 'ENOENT', "ENOENT: no such file or directory, open '/nodebox/none'"],
    ['readFileSync', ['folder'], 'EISDIR', "EISDIR: illegal operation on a directory, open '/nodebox/folder'"],
    ['mkdirSync', ['folder'], 'EEXIST', "EEXIST: file already exists, mkdir '/nodebox/folder'"],
    ['rmdirSync', ['folder'], 'ENOTEMPTY', "ENOTEMPTY: directory not empty, rmdir '/nodebox/folder'"],
    ['writeFileSync', ['none/a', ''], 'ENOENT', "ENOENT: no such file or directory, open '/nodebox/none'"],
    ['readdirSync', ['folder/a'], 'ENOTDIR', "ENOTDIR: not a directory, scandir '/nodebox/folder/a'"],
  ])('BB842: %s of %j fails as in Node', async (name, given, code, message) => {
    const { fs } = begin({ 'folder/a': '' })
    expect(() => fs[name](...given)).toThrow(expect.objectContaining({ code, message }))
    const plain = name.replace('Sync', '')
    await expect(fs.promises[plain](...given)).rejects.toMatchObject({ code, message })
    const called = await new Promise((resolve) => fs[plain](...given, resolve))
    expect(called).toMatchObject({ code, message })
  })

  it('BB842: streams read a part of a file and write one, and say what is not there', async () => {
    const { fs } = begin({ 'a.txt': 'hello there' })
    const read = async (stream: AsyncIterable<Uint8Array>) => {
      let text = ''
      for await (const chunk of stream) text += new TextDecoder().decode(chunk)
      return text
    }
    expect(await read(fs.createReadStream('a.txt', { start: 6, end: 8 }))).toBe('the')
    await expect(read(fs.createReadStream('none'))).rejects.toMatchObject({ code: 'ENOENT' })
    const stream = fs.createWriteStream('b.txt')
    stream.write('one ')
    await new Promise((resolve) => stream.end('two', resolve))
    expect(fs.readFileSync('b.txt', 'utf8')).toBe('one two')
  })
})

it('BB843: a process ends when nothing is left that could go on, and not before', () => {
  const queue: (() => void)[] = []
  const handles = new Handles((work) => queue.push(work))
  const release = handles.hold()
  let ended = 0
  handles.onIdle(() => (ended += 1))
  for (const work of queue.splice(0)) work()
  expect(ended).toBe(0)
  release()
  const again = handles.hold()
  for (const work of queue.splice(0)) work()
  expect(ended).toBe(0)
  again()
  again()
  for (const work of queue.splice(0)) work()
  expect(ended).toBe(1)
})
