import nodeFs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FileChange } from '../../../common/fromProcess.ts'
import { Handles } from '../../handles.ts'
import { ProcessFiles } from '../../processFiles.ts'
import { makeFs } from './makeFs.ts'
import type { Loose } from '../../loose.ts'

// What Node's own core tests found to be another answer than that of Node, asked of both.

function begin() {
  const told: FileChange[] = []
  const files = new ProcessFiles((change) => told.push(change))
  const later = (work: () => void) => queueMicrotask(work)
  const fs = makeFs({
    files,
    handles: new Handles(later),
    cwd: () => '/nodebox',
    later,
    writeStandard: () => undefined,
  })
  return { fs, told }
}

/** Folders have other names there and here. */
const plain = (value: Loose, folder: string): unknown => {
  if (value instanceof Error) return plain({ ...value, message: value.message, name: value.name }, folder)
  if (typeof value === 'string') return value.replaceAll(folder, 'FOLDER')
  if (ArrayBuffer.isView(value))
    return `bytes ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()}`
  if (Array.isArray(value)) return value.map((one) => plain(one, folder))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, folder)]))
}
async function answerOf(ask: (fs: Loose, at: (name: string) => string) => unknown, fs: Loose, folder: string) {
  try {
    return plain(await ask(fs, (name) => `${folder}/${name}`), folder)
  } catch (error) {
    return plain({ thrown: error }, folder)
  }
}
const same = (asks: Readonly<Record<string, (fs: Loose, at: (name: string) => string) => unknown>>): void =>
  it.each(Object.entries(asks))('BB1150: %s', async (_title, ask) => {
    const folder = nodeFs.mkdtempSync(join(tmpdir(), 'fs-answers-'))
    const { fs } = begin()
    fs.mkdirSync('/tmp/own')
    expect(await answerOf(ask, fs, '/tmp/own')).toEqual(await answerOf(ask, nodeFs, folder))
    nodeFs.rmSync(folder, { recursive: true })
  })
const collected = (stream: Loose): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (chunk: unknown) => (text += String(chunk)))
    stream.on('error', reject).on('close', () => resolve(text))
  })

same({
  'a file that is open stays itself under another name and without one': (fs, at) => {
    fs.writeFileSync(at('a'), 'one')
    const fd = fs.openSync(at('a'), 'r+')
    fs.renameSync(at('a'), at('b'))
    fs.writeSync(fd, 'O', 0)
    const renamed = fs.readFileSync(at('b'), 'utf8')
    fs.unlinkSync(at('b'))
    fs.writeSync(fd, 'N', 1)
    const gone = fs.readFileSync(fd, 'utf8')
    fs.closeSync(fd)
    return [renamed, gone, fs.existsSync(at('b'))]
  },
  'what is open to be written is not read': (fs, at) => {
    const fd = fs.openSync(at('a'), 'w')
    return fs.readSync(fd, Buffer.alloc(1))
  },
  'what is open to be read is not written': (fs, at) => {
    fs.writeFileSync(at('a'), '')
    return fs.writeSync(fs.openSync(at('a'), 'r'), 'x')
  },
  'a number that is not open': (fs) => fs.fstatSync(12_345),
  'a number that is none': (fs) => fs.closeSync('3'),
  'flags that are none': (fs, at) => fs.openSync(at('a'), 'q'),
  'flags as numbers': (fs, at) => {
    const { O_CREAT, O_EXCL, O_RDWR } = fs.constants
    fs.closeSync(fs.openSync(at('a'), O_CREAT | O_RDWR))
    return fs.openSync(at('a'), O_CREAT | O_EXCL | O_RDWR)
  },
  'a path with a null byte': (fs) => fs.readFileSync('a\0b'),
  'an encoding that is none': (fs, at) => fs.readFileSync(at('a'), 'nothing'),
  'rights of a file that is made': (fs, at) => {
    fs.writeFileSync(at('a'), '', { mode: 0o600 })
    fs.mkdirSync(at('b'), { mode: 0o700 })
    return [fs.statSync(at('a')).mode, fs.statSync(at('b')).mode]
  },
  'rights that are none': (fs, at) => fs.chmodSync(at('a'), '999'),
  'which folder had to be made first': (fs, at) => [
    fs.mkdirSync(at('a/b/c'), { recursive: true }),
    fs.mkdirSync(at('a/b'), { recursive: true }) ?? 'none',
  ],
  'what is copied names both': (fs, at) => fs.copyFileSync(at('none'), at('b')),
  'options of a read': (fs, at) => {
    fs.writeFileSync(at('a'), '0123456789')
    const fd = fs.openSync(at('a'))
    const buffer = Buffer.alloc(4)
    const counts = [fs.readSync(fd, buffer, {}), fs.readSync(fd, buffer, { offset: 1, length: 2, position: 7 })]
    fs.closeSync(fd)
    return [counts, buffer]
  },
  'a read that leads out of the bytes': (fs, at) => {
    fs.writeFileSync(at('a'), 'a')
    return fs.readSync(fs.openSync(at('a')), Buffer.alloc(4), 2, 3, 0)
  },
  'several parts at once': (fs, at) => {
    const fd = fs.openSync(at('a'), 'w+')
    const wrote = fs.writevSync(fd, [Buffer.from('ab'), Buffer.from('cde')])
    const parts = [Buffer.alloc(1), Buffer.alloc(3)]
    const read = fs.readvSync(fd, parts, 0)
    fs.closeSync(fd)
    return [wrote, read, parts]
  },
  'a folder, one entry after the other': async (fs, at) => {
    fs.writeFileSync(at('a'), '')
    fs.mkdirSync(at('b'))
    const seen: unknown[] = []
    for await (const entry of await fs.promises.opendir(at(''))) seen.push([entry.name, entry.isDirectory()])
    return seen.toSorted()
  },
  'numbers as large ones': (fs, at) => {
    fs.writeFileSync(at('a'), 'abc')
    const { size, mtimeNs } = fs.statSync(at('a'), { bigint: true })
    return [String(size), typeof mtimeNs]
  },
  'a stream of a class that is called without new, from a place on': async (fs, at) => {
    fs.writeFileSync(at('a'), '0123456789')
    // oxlint-disable-next-line new-cap
    return collected(fs.ReadStream(at('a'), { start: 2, end: 5, encoding: 'utf8' }))
  },
  'a stream into the middle of a file': async (fs, at) => {
    fs.writeFileSync(at('a'), '0123456789')
    const stream = fs.createWriteStream(at('a'), { flags: 'r+', start: 3 })
    await new Promise((resolve) => stream.on('close', resolve).end('xyz'))
    return [fs.readFileSync(at('a'), 'utf8'), stream.bytesWritten, stream.pending]
  },
  'a stream whose opening a program has replaced': async (fs, at) => {
    fs.writeFileSync(at('a'), 'text')
    const Base: new (path: string) => Loose = fs.ReadStream
    class Own extends Base {
      open(this: Loose): void {
        fs.open(this.path, this.flags, (error: unknown, fd: number) => {
          if (error) return this.destroy(error)
          this.fd = fd
          return this.emit('open', fd)
        })
      }
    }
    return collected(new Own(at('a')))
  },
  'a stream of what is not there': (fs, at) => collected(fs.createReadStream(at('none'))),
  'a file as an object': async (fs, at) => {
    const handle = await fs.promises.open(at('a'), 'w+')
    await handle.write('hello')
    await handle.truncate(4)
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(3), 0, 3, 1)
    const whole = await collected(handle.createReadStream({ start: 0, encoding: 'utf8' }))
    return [bytesRead, buffer, whole, handle.fd]
  },
  'an object of a file that is closed': async (fs, at) => {
    const handle = await fs.promises.open(at('a'), 'w+')
    await handle.close()
    return handle.stat()
  },
  'what is given up before it begins': (fs, at) => fs.promises.readFile(at('a'), { signal: AbortSignal.abort() }),
  'a callback that is none': (fs, at) => fs.readFile(at('a'), 'utf8'),
})

it('BB1150: a file that is written is told once, as a whole', () => {
  const { fs, told } = begin()
  fs.writeFileSync('/nodebox/a.txt', 'one')
  fs.appendFileSync('/nodebox/a.txt', ' two')
  expect(told).toMatchObject([
    { kind: 'write', path: '/nodebox/a.txt', content: 'one' },
    { kind: 'write', path: '/nodebox/a.txt' },
  ])
})
