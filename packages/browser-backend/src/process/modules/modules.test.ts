import nodeBuffer from 'node:buffer'
import nodeChildProcess from 'node:child_process'
import nodeCrypto from 'node:crypto'
import nodePath from 'node:path'
import nodeStream from 'node:stream'
import nodeZlib from 'node:zlib'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { answers, called, collected, ours, plain } from '../../testing/besideNode.ts'
import type { Loose } from '../loose.ts'

// What programs call most, asked of the modules of a page and of the Node that runs this: both have to answer the same.

const same = (theirs: Loose, name: string, asks: Readonly<Record<string, (module: Loose) => unknown>>) =>
  it.each(Object.entries(asks))(`BB963: ${name}: %s`, async (_title, ask) => {
    const [own, real] = await answers(theirs, ours(name), ask)
    expect(own).toEqual(real)
  })

describe('buffer', () => {
  same(nodeBuffer, 'buffer', {
    'base64 of addresses': ({ Buffer: B }) => [
      B.from('-_8', 'base64url'),
      B.from([251, 255, 254]).toString('base64url'),
      B.from('a').toString('BASE64URL'),
      B.from('abcd').toString('base64url', 1, 3),
      B.isEncoding('base64url'),
      B.byteLength('-_8', 'base64url'),
      B.alloc(4, '-_8', 'base64url'),
      B.alloc(3).write('-_8', 0, 'base64url'),
    ],
    'other encodings': ({ Buffer: B }) => [
      B.from('äb').toString(),
      B.from('ff00', 'hex').toString('base64'),
      B.from([1, 2]),
      B.from(new Uint8Array([3, 4]).buffer, 1, 1),
      B.isEncoding('nothing'),
      B.from('a') instanceof B,
    ],
  })
})

const HASHES = ['md5', 'ripemd160', 'sha1', 'RSA-SHA1', 'sha224', 'sha256', 'SHA256', 'sha384', 'sha512']
const text = 'äöü '.repeat(9_000)

describe('crypto', () => {
  same(nodeCrypto, 'crypto', {
    ...Object.fromEntries(
      [...HASHES, 'sha512-256', 'sha3-256', 'sha3-512', 'nothing'].flatMap((name) => [
        [`createHash ${name}`, (c: Loose) => c.createHash(name).update('a').update(text).digest('hex')],
        [`createHmac ${name}`, (c: Loose) => c.createHmac(name, 'key').update(text).digest('base64')],
      ]),
    ),
    'digests in every encoding': (c) =>
      [undefined, 'buffer', 'hex', 'base64', 'base64url', 'latin1', 'binary'].map((encoding) =>
        c.createHash('sha256').update('a').digest(encoding),
      ),
    'update with an encoding': (c) =>
      c.createHash('sha1').update('616263', 'hex').update('YQ==', 'base64').digest('hex'),
    'update with arrays of numbers': (c) =>
      c
        .createHash('sha1')
        .update(new Uint16Array([1, 2, 300]))
        .digest('hex'),
    'update with a number': (c) => c.createHash('sha1').update(3),
    'update behind digest': (c) => {
      const hash = c.createHash('sha1')
      hash.digest()
      return hash.update('a')
    },
    'digest twice': (c) => {
      const hash = c.createHash('sha1')
      hash.digest()
      return hash.digest()
    },
    'an HMAC digested twice': (c) => {
      const hmac = c.createHmac('sha1', 'key')
      return [hmac.digest('hex'), hmac.digest('hex'), hmac.digest().length]
    },
    'copy goes its own way': (c) => {
      const hash = c.createHash('sha256').update('a')
      const copy = hash.copy().update('b')
      return [hash.update('c').digest('hex'), copy.digest('hex')]
    },
    'copy behind digest': (c) => {
      const hash = c.createHash('sha1')
      hash.digest()
      return hash.copy()
    },
    'a key longer than a block, bytes, and a key object': (c) =>
      ['k'.repeat(300), Buffer.from([0, 255]), c.createSecretKey(Buffer.from('secret'))].map((key) =>
        c.createHmac('sha256', key).update('a').digest('hex'),
      ),
    'a hash as a stream': (c) => {
      const hash = c.createHash('sha256')
      hash.write('a')
      hash.end(text)
      return collected(hash)
    },
    'a hash as a stream, read when it has ended': (c) =>
      new Promise((resolve) => {
        const hash = c.createHash('md5')
        hash.setEncoding('hex')
        hash.on('readable', () => {
          const read = hash.read()
          if (read) resolve(read)
        })
        hash.end('some data')
      }),
    randomBytes: async (c) => {
      const [now, later] = [c.randomBytes(70_000), (await called(c.randomBytes, 16)) as Uint8Array]
      return [now.length, later.length, Buffer.from(now).equals(Buffer.alloc(70_000)), c.randomBytes(0).length]
    },
    'randomBytes of less than nothing': (c) => c.randomBytes(-1),
    'randomBytes of a text': (c) => c.randomBytes('3'),
    'randomBytes promised': async (c) => ((await promisify(c.randomBytes)(8)) as unknown as Uint8Array).length,
    'randomFillSync of a part': (c) => {
      const target = Buffer.alloc(40)
      c.randomFillSync(target, 20, 10)
      return [target.subarray(0, 20), target.subarray(30), target.subarray(20, 30).some(Boolean)]
    },
    randomFill: async (c) => ((await called(c.randomFill, Buffer.alloc(32))) as Uint8Array).some(Boolean),
    randomInt: async (c) => {
      const all = Array.from({ length: 200 }, () => c.randomInt(3, 6))
      return [Math.min(...all), Math.max(...all), c.randomInt(1), await called(c.randomInt, 7, 8)]
    },
    'randomInt of nothing between': (c) => c.randomInt(5, 5),
    randomUUID: (c) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(c.randomUUID()),
    pbkdf2: async (c) => [
      c.pbkdf2Sync('secret', 'salt', 1_000, 40, 'sha512'),
      await called(c.pbkdf2, 'secret', 'salt', 10, 20, 'sha1'),
    ],
    scrypt: async (c) => [
      c.scryptSync('secret', 'salt', 32, { N: 1024 }),
      await called(c.scrypt, 'secret', 'salt', 16, { cost: 16, blockSize: 4 }),
      await called(c.scrypt, 'secret', 'salt', 16),
    ],
    hkdf: async (c) => [
      c.hkdfSync('sha256', 'key', 'salt', 'info', 42),
      await called(c.hkdf, 'sha512', 'key', 'salt', Buffer.alloc(0), 10),
    ],
    timingSafeEqual: (c) => [
      c.timingSafeEqual(Buffer.from('ab'), Buffer.from('ab')),
      c.timingSafeEqual(Buffer.from('ab'), Buffer.from('ac')),
    ],
    'timingSafeEqual of other lengths': (c) => c.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')),
  })
})

describe('zlib', () => {
  const pairs = [
    ['gzip', 'gunzip'],
    ['deflate', 'inflate'],
    ['deflateRaw', 'inflateRaw'],
    ['gzip', 'unzip'],
    ['deflate', 'unzip'],
  ] as const
  const made = (name: string) => `create${name[0]!.toUpperCase()}${name.slice(1)}`
  const dictionary = Buffer.from('what stands in many texts')
  same(nodeZlib, 'zlib', {
    'a dictionary in one go': (z) => {
      const packed = z.deflateSync('many texts in what stands', { dictionary })
      return [packed, z.inflateSync(packed, { dictionary: new Uint8Array(dictionary) }).toString()]
    },
    'a dictionary in parts': async (z) => {
      const packed = nodeZlib.deflateSync('many texts in what stands', { dictionary })
      const read = z.createInflate({ dictionary })
      read.end(packed)
      return String(await collected(read))
    },
    'a dictionary that is none': (z) => z.deflateSync('a', { dictionary: 'text' }),
    'a dictionary that is missing': (z) => called(z.inflate, nodeZlib.deflateSync('many texts', { dictionary })),
    'classes that are made from others': (z) => {
      class Own extends z.Deflate {}
      function Older(this: Loose) {
        z.DeflateRaw.call(this)
      }
      Object.setPrototypeOf(Older.prototype, z.DeflateRaw.prototype)
      const made: Loose[] = [new Own(), new (Older as Loose)()]
      return made.map((one) => [one instanceof Own, one instanceof Older, typeof one._handle])
    },
    'classes, with a dictionary': (z) => [
      new z.Deflate({ dictionary }) instanceof z.Deflate,
      z.createDeflate({ dictionary }) instanceof z.Deflate,
    ],
    ...Object.fromEntries(
      pairs.flatMap(([pack, unpack]) => [
        [`${pack} and ${unpack} in one go`, (z: Loose) => z[`${unpack}Sync`](nodeZlib[`${pack}Sync`](text)).toString()],
        [
          `what ${pack} makes is read by Node for ${unpack}`,
          (z: Loose) => nodeZlib[`${unpack}Sync`](z[`${pack}Sync`](text)),
        ],
        [
          `${pack} and ${unpack} called back`,
          async (z: Loose) => called(z[unpack], await called(z[pack], Buffer.from(text))),
        ],
        [
          `${pack} and ${unpack} as streams`,
          (z: Loose) => {
            const packing = z[made(pack)]({ level: 9 })
            packing.write(text)
            packing.end('the end')
            return collected(packing.pipe(z[made(unpack)]()))
          },
        ],
      ]),
    ),
    levels: (z) => [0, 1, 9].map((level) => nodeZlib.inflateSync(z.deflateSync('a'.repeat(5_000), { level })).length),
    'what is given as an array of numbers': (z) => z.gunzipSync(z.gzipSync(new Uint8Array([1, 2, 3]))),
    nothing: (z) => z.gunzipSync(z.gzipSync('')),
    'what was not packed': (z) => z.gunzipSync(Buffer.from('not packed')),
    'what was not packed, inflated': (z) => z.inflateSync(Buffer.from('not packed')),
    'what was cut off': (z) => z.gunzipSync(nodeZlib.gzipSync(text).subarray(0, 40)),
    'what was not packed, called back': (z) => called(z.gunzip, Buffer.from('not packed')),
    promised: async (z) => promisify(z.gunzip)((await promisify(z.gzip)('a')) as unknown as Buffer),
    'a number': (z) => z.gzipSync(3),
    constants: (z) => [z.constants.Z_BEST_COMPRESSION, z.constants.Z_SYNC_FLUSH, z.constants.Z_DEFAULT_STRATEGY],
  })
})

describe('stream', () => {
  const upper = (s: Loose) =>
    new s.Transform({
      transform: (chunk: Uint8Array, _encoding: string, done: Loose) => done(null, chunk.toString().toUpperCase()),
    })
  const read = async (source: AsyncIterable<unknown>) => {
    const parts: unknown[] = []
    for await (const part of source) parts.push(typeof part === 'number' ? part : String(part))
    return parts
  }
  const failing = (s: Loose) =>
    new s.Writable({ write: (_chunk: unknown, _encoding: string, done: Loose) => done(new RangeError('full')) })
  same(nodeStream, 'stream', {
    'Readable.from of a list, a text, bytes and a generator': async (s) => [
      await read(s.Readable.from([1, 2, 3])),
      await read(s.Readable.from('text')),
      await read(
        s.Readable.from(
          (function* () {
            yield 'a'
            yield 'b'
          })(),
        ),
      ),
      await read(
        s.Readable.from(
          (async function* () {
            yield 'c'
          })(),
        ),
      ),
    ],
    'Readable.from of a number': (s) => s.Readable.from(3),
    'pipeline called back': async (s) => {
      const through = new s.PassThrough()
      const parts = read(through)
      await called(s.pipeline, s.Readable.from(['a', 'b']), upper(s), through)
      return parts
    },
    'pipeline promised, with a generator between': async (s) => {
      const parts: string[] = []
      await s.promises.pipeline(
        s.Readable.from(['a', 'b']),
        async function* (source: AsyncIterable<string>) {
          for await (const part of source) yield `${part}!`
        },
        async (source: AsyncIterable<string>) => {
          for await (const part of source) parts.push(part)
        },
      )
      return parts
    },
    'pipeline that fails': async (s) => {
      const source = s.Readable.from(['a', 'b'])
      const error: Loose = await s.promises.pipeline(source, failing(s)).catch((one: unknown) => one)
      return [error.name, error.message, source.destroyed]
    },
    'pipeline that is given up': async (s) => {
      const giving = new AbortController()
      const ending = s.promises.pipeline(new s.Readable({ read: () => undefined }), new s.PassThrough(), {
        signal: giving.signal,
      })
      giving.abort()
      return ending
    },
    'finished of what ended too early': (s) => {
      const source = new s.Readable({ read: () => undefined })
      const ended = s.promises.finished(source)
      source.destroy()
      return ended
    },
    'a Transform with flush and objects': (s) => {
      let sum = 0
      const adding = new s.Transform({
        objectMode: true,
        transform: (chunk: number, _encoding: string, done: Loose) => {
          sum += chunk
          done()
        },
        flush: (done: Loose) => done(null, sum),
      })
      return read(s.Readable.from([1, 2, 3]).pipe(adding))
    },
    'order of events': (s) =>
      new Promise((resolve) => {
        const seen: string[] = []
        const through = new s.PassThrough()
        for (const name of ['finish', 'end', 'close', 'prefinish', 'resume', 'pause', 'drain'])
          through.on(name, () => {
            seen.push(name)
            if (name === 'close') resolve(seen)
          })
        through.on('data', (chunk: Uint8Array) => seen.push(String(chunk)))
        through.write('a')
        through.end('b')
      }),
    'back pressure': (s) => {
      const full = new s.Writable({ highWaterMark: 3, write: () => undefined })
      return [full.write('ab'), full.write('c'), full.writableLength, full.writableNeedDrain]
    },
    'write behind end': (s) =>
      new Promise((resolve) => {
        const through = new s.PassThrough()
        through.on('error', (error: Loose) => resolve(error.code))
        through.end()
        through.write('a')
      }),
    'map, filter, take and toArray': (s) =>
      s.Readable.from([1, 2, 3, 4])
        .filter((one: number) => one > 1)
        .map((one: number) => one * 2)
        .take(2)
        .toArray(),
    compose: async (s) => read(s.compose(s.Readable.from(['a', 'b']), upper(s))),
    'Duplex.from': (s) =>
      read(
        s.Readable.from(['a']).pipe(
          s.Duplex.from(async function* (source: AsyncIterable<unknown>) {
            for await (const part of source) yield `${String(part)}?`
          }),
        ),
      ),
    'to the streams of the web and back': (s) =>
      read(s.Readable.fromWeb(s.Readable.toWeb(s.Readable.from(['a', 'b'])))),
    addAbortSignal: (s) => {
      const giving = new AbortController()
      const source = s.addAbortSignal(giving.signal, new s.Readable({ read: () => undefined }))
      giving.abort()
      return read(source)
    },
    'isReadable, isErrored and isDisturbed': (s) => {
      const source = s.Readable.from(['a'])
      return [s.isReadable(source), s.isErrored(source), s.Readable.isDisturbed(source)]
    },
    getDefaultHighWaterMark: (s) => [typeof s.getDefaultHighWaterMark(false), s.getDefaultHighWaterMark(true)],
    'what it is itself': (s) => [
      typeof s,
      s.Stream === s,
      new s.Readable() instanceof s,
      new s.Writable() instanceof s.Stream,
    ],
  })
})

describe('path', () => {
  const asks: Readonly<Record<string, (p: Loose) => unknown>> = {
    'of Windows': ({ win32 }) => [
      win32.join('C:\\a', '..', 'b/c'),
      win32.resolve('C:\\a', 'D:\\b', '..\\c'),
      win32.relative('C:\\a\\b', 'C:\\a\\c'),
      win32.parse('C:\\dir\\file.txt'),
      win32.format({ dir: 'C:\\dir', base: 'x' }),
      win32.basename('C:\\a.txt', '.txt'),
      win32.isAbsolute('\\\\server\\share'),
      win32.normalize('C:/a//b\\..'),
      win32.toNamespacedPath('C:\\a'),
      win32.sep + win32.delimiter,
    ],
    'of others': ({ posix }) => [
      posix.join('a', '..', '..', 'b'),
      posix.relative('/a/b', '/a/c'),
      posix.parse('/a/b.c.d'),
    ],
    'each in the other': (p) => [p === p.posix, p.win32.posix === p, p.posix.win32.win32 === p.win32],
    'what is no path': (p) => p.join('a', 3),
  }
  it.each(Object.entries(asks))('BB1152: %s', async (_title, ask) => {
    const [own, real] = await answers(nodePath, ours('path'), ask)
    expect(own).toEqual(real)
  })
})

describe('child_process', () => {
  const outcome = (work: Loose, ...given: unknown[]) =>
    new Promise((resolve) =>
      work(...given, (error: Loose, stdout: unknown, stderr: unknown) =>
        resolve([
          error && [error.message, error.code, error.signal, error.killed, error.cmd],
          plain(stdout),
          plain(stderr),
        ]),
      ),
    )
  const events = (child: Loose) =>
    new Promise((resolve) => {
      const seen: unknown[] = []
      for (const name of ['spawn', 'exit', 'close'])
        child.on(name, (...given: unknown[]) => {
          seen.push([name, ...given])
          if (name === 'close') resolve([seen, child.exitCode, child.signalCode, child.killed])
        })
    })
  same(nodeChildProcess, 'child_process', {
    exec: (c) => outcome(c.exec, 'echo out; echo err >&2'),
    'exec whose output is asked for as texts too': (c) =>
      new Promise((resolve) => {
        const seen: unknown[] = []
        const child = c.exec('echo äö', (error: unknown, stdout: unknown) => resolve([error, stdout, seen]))
        child.stdout.setEncoding('utf8').on('data', (text: unknown) => seen.push(text))
      }),
    'exec that fails': (c) => outcome(c.exec, 'echo out; echo err >&2; exit 3'),
    'exec with bytes, a folder and an environment': (c) =>
      outcome(c.exec, 'pwd; echo $GIVEN', { encoding: 'buffer', cwd: '/', env: { ...process.env, GIVEN: 'here' } }),
    'exec with more than it may keep': (c) => outcome(c.exec, 'echo 123456789', { maxBuffer: 4 }),
    'exec promised': async (c) => promisify(c.exec)('echo promised'),
    'exec promised that fails': async (c) => {
      const error: Loose = await promisify(c.exec)('echo a; exit 2').catch((one: unknown) => one)
      return [error.code, error.stdout, error.stderr, error.cmd]
    },
    execFile: (c) => outcome(c.execFile, 'node', ['-e', 'console.log(process.argv[1])', 'one two']),
    'execFile without arguments but with a setting': (c) => outcome(c.execFile, 'pwd', { cwd: '/' }),
    'execFile that fails': (c) => outcome(c.execFile, 'sh', ['-c', 'exit 4']),
    'execFile promised': async (c) => promisify(c.execFile)('node', ['-p', '6 * 7']),
    'spawn, with what it is told': async (c) => {
      const child = c.spawn('cat')
      child.stdout.setEncoding('utf8')
      let heard = ''
      child.stdout.on('data', (part: string) => (heard += part))
      const seen = events(child)
      child.stdin.write('one ')
      child.stdin.end('two')
      return [await seen, heard]
    },
    'spawn in a shell': async (c) => {
      const child = c.spawn('echo', ['$((1 + 2))'], { shell: true })
      const seen = events(child)
      return [String(await collected(child.stdout)), await seen]
    },
    'spawn, read with the loop for streams': async (c) =>
      String(await collected(c.spawn('node', ['-e', 'console.log(1); console.log(2)']).stdout)),
    'spawn, ended': async (c) => {
      const child = c.spawn('node', ['-e', 'console.log("up"); setInterval(() => {}, 1000)'])
      const seen = events(child)
      child.stdout.once('data', () => child.kill())
      return seen
    },
    'spawn, ended by a number': async (c) => {
      const child = c.spawn('node', ['-e', 'console.log("up"); setInterval(() => {}, 1000)'])
      const seen = events(child)
      child.stdout.once('data', () => child.kill(9))
      return seen
    },
    spawnargs: async (c) => {
      const child = c.spawn('echo', ['a', 3])
      await events(child)
      return [child.spawnfile, child.spawnargs, child.stdio.length, typeof child.pid]
    },
  })
})
