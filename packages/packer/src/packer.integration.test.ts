import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContentStore } from './contentStore.ts'
import { EgressProxy } from './egressProxy.ts'
import { RegistryMirror } from './registryMirror.ts'
import { MirrorIndexes } from './resolve/mirrorIndexes.ts'
import { SafeFetch } from './safeFetch.ts'

const archive = Buffer.from('the bytes of an archive')
const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`

let folder: string
let upstream: Server
let origin: string
let requests: string[]
let respond: (request: IncomingMessage, response: ServerResponse) => void
let fetcher: SafeFetch
let time: number

const metadata = (file = 'left-1.0.0.tgz', dist: object = { integrity }) => ({
  name: 'left',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'left', version: '1.0.0', dist: { tarball: `${origin}/files/${file}`, ...dist } } },
})

const registry = (request: IncomingMessage, response: ServerResponse) => {
  if (request.url === '/left') {
    if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end()
    return response.writeHead(200, { etag: '"v1"' }).end(JSON.stringify(metadata()))
  }
  if (request.url?.startsWith('/files/')) return response.end(archive)
  return response.writeHead(404).end()
}

const newMirror = () =>
  new RegistryMirror({ folder, registry: origin, publicBase: 'http://mirror/npm', fetch: fetcher, now: () => time })
const read = async (mirror: RegistryMirror, name = 'left') =>
  JSON.parse(gunzipSync(await mirror.metadata(name)).toString()) as ReturnType<typeof metadata>
const bytes = async (mirror: RegistryMirror, file = 'left-1.0.0.tgz') => {
  const chunks: Buffer[] = []
  for await (const chunk of (await mirror.tarball('left', file)).stream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packer-'))
  requests = []
  time = 1_000_000
  respond = registry
  upstream = createServer((request, response) => {
    requests.push(request.url ?? '')
    respond(request, response)
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  fetcher = new SafeFetch({ trustedOrigins: [origin] })
})

afterEach(async () => {
  await fetcher.close()
  upstream.closeAllConnections()
  upstream.close()
  await rm(folder, { recursive: true })
})

describe('mirror', () => {
  it('PK11: rewrites every archive address', async () => {
    const { versions } = await read(newMirror())
    expect(versions['1.0.0'].dist).toEqual({ tarball: 'http://mirror/npm/left/-/left-1.0.0.tgz', integrity })
  })

  it('PK12: serves fresh metadata from memory and disk, and revalidates when it is old', async () => {
    const mirror = newMirror()
    await read(mirror)
    await read(mirror)
    await read(newMirror())
    expect(requests).toEqual(['/left'])
    time += 400_000
    await read(mirror)
    await read(mirror)
    expect(requests).toEqual(['/left', '/left'])
  })

  it('PK13: serves stale metadata when the registry does not answer', async () => {
    const mirror = newMirror()
    await read(mirror)
    time += 400_000
    respond = (_request, response) => response.writeHead(503).end()
    expect((await read(mirror)).name).toBe('left')
  })

  it('PK14: refuses an archive that does not match, and keeps nothing of it', async () => {
    respond = (request, response) =>
      request.url?.startsWith('/files/') ? response.end('something else') : registry(request, response)
    await expect(newMirror().tarball('left', 'left-1.0.0.tgz')).rejects.toMatchObject({ code: 'INTEGRITY' })
    expect(await readdir(join(folder, 'archives', 'incoming'))).toEqual([])
  })

  it('PK14: refuses an archive without a checksum', async () => {
    respond = (_request, response) => response.end(JSON.stringify(metadata('left-1.0.0.tgz', {})))
    await expect(newMirror().tarball('left', 'left-1.0.0.tgz')).rejects.toMatchObject({ code: 'INTEGRITY' })
  })

  it('PK15: serves a known archive without the registry, also after a restart', async () => {
    expect(await bytes(newMirror())).toEqual(archive)
    respond = (_request, response) => response.destroy()
    expect(await bytes(newMirror())).toEqual(archive)
  })

  it('PK16: asks the registry once for many', async () => {
    const mirror = newMirror()
    const all = await Promise.all(Array.from({ length: 20 }, () => bytes(mirror)))
    expect(all.every((content) => content.equals(archive))).toBe(true)
    expect(requests).toEqual(['/left', '/files/left-1.0.0.tgz'])
  })

  it('PK17: looks again for an archive that is newer than the metadata', async () => {
    const mirror = newMirror()
    await read(mirror)
    respond = (request, response) =>
      request.url === '/left' ? response.end(JSON.stringify(metadata('left-1.1.0.tgz'))) : response.end(archive)
    expect(await bytes(mirror, 'left-1.1.0.tgz')).toEqual(archive)
  })

  it('PK2: does not follow a redirect of a trusted registry to a private address', async () => {
    respond = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end()
    await expect(newMirror().metadata('left')).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' })
  })

  it.each(['http://169.254.169.254/latest/meta-data', 'http://[::1]:1/', 'file:///etc/passwd', 'http://['])(
    'PK2: does not follow a redirect of an archive to %j',
    async (location) => {
      respond = (request, response) =>
        request.url?.startsWith('/files/') ? response.writeHead(302, { location }).end() : registry(request, response)
      const code = location.startsWith('http://[::') || location.includes('169.254') ? 'PRIVATE_ADDRESS' : 'NOT_ALLOWED'
      await expect(newMirror().tarball('left', 'left-1.0.0.tgz')).rejects.toMatchObject({ code })
      expect(existsSync(join(folder, 'archives'))).toBe(false)
    },
  )

  it('PK955: redirects in a circle end', async () => {
    respond = (_request, response) => response.writeHead(302, { location: '/left' }).end()
    await expect(newMirror().metadata('left')).rejects.toMatchObject({ code: 'UPSTREAM' })
    expect(requests).toHaveLength(6)
  })

  it('PK955: an answer that breaks off is none, and nothing of it is kept', async () => {
    respond = (_request, response) =>
      response.writeHead(200, { 'content-length': '1000000' }).write('{"name":"left"', () => response.destroy())
    await expect(newMirror().metadata('left')).rejects.toMatchObject({ code: 'UPSTREAM' })
    respond = (request, response) => {
      if (!request.url?.startsWith('/files/')) return registry(request, response)
      return response.writeHead(200, { 'content-length': '1000000' }).write('half', () => response.destroy())
    }
    await expect(newMirror().tarball('left', 'left-1.0.0.tgz')).rejects.toMatchObject({ code: 'UPSTREAM' })
    expect(await readdir(join(folder, 'archives', 'incoming'))).toEqual([])
  })

  /** A server that sends a byte at a time and never ends, and a clock that stops it once some have come. */
  const dripping = () => {
    const limits: number[] = []
    const clocks: AbortController[] = []
    const fetch = new SafeFetch({
      trustedOrigins: [origin],
      timeLimit(ms) {
        limits.push(ms)
        clocks.push(new AbortController())
        return clocks.at(-1)!.signal
      },
    })
    let isClosed: Promise<unknown> | undefined
    const drip = (response: ServerResponse) => {
      isClosed = once(response, 'close')
      let drops = 0
      const more = () => {
        drops += 1
        if (drops === 20) clocks.at(-1)!.abort(new DOMException('It took too long', 'TimeoutError'))
        if (!response.destroyed) response.write(' ', () => setImmediate(more))
      }
      response.writeHead(200)
      more()
    }
    const mirror = (more: object = {}) =>
      new RegistryMirror({ folder, registry: origin, publicBase: 'http://mirror/npm', fetch, now: () => time, ...more })
    return { limits, drip, mirror, fetch, hungUp: () => isClosed }
  }

  it('PK960: metadata that drips is refused when its time is over, once, and the line is hung up', async () => {
    const { limits, drip, mirror, fetch, hungUp } = dripping()
    respond = (_request, response) => drip(response)
    const waits: number[] = []
    const indexes = new MirrorIndexes(mirror(), async (ms) => void waits.push(ms))
    await expect(indexes.get('left')).rejects.toMatchObject({
      code: 'TOO_SLOW',
      message: 'The package registry took too long to answer',
    })
    await hungUp()
    expect(requests).toEqual(['/left'])
    const own = new MirrorIndexes(mirror({ private: { authorization: null } }), async (ms) => void waits.push(ms))
    await expect(own.get('left')).rejects.toMatchObject({ code: 'REGISTRY_AWAY' })
    expect({ waits, limits }).toEqual({ waits: [], limits: [120_000, 120_000] })
    await fetch.close()
  })

  it('PK960: metadata that drips is served as it was before, and the time counts from the first of its redirects', async () => {
    const { limits, drip, mirror, fetch } = dripping()
    await newMirror().metadata('left')
    time += 400_000
    respond = (request, response) =>
      request.url === '/left' ? response.writeHead(302, { location: '/slow' }).end() : drip(response)
    expect((await read(mirror())).name).toBe('left')
    expect({ limits, requests }).toEqual({ limits: [120_000], requests: ['/left', '/left', '/slow'] })
    await fetch.close()
  })

  it('PK960: an archive that drips is refused when its time is over, and nothing of it is kept', async () => {
    const { limits, drip, mirror, fetch, hungUp } = dripping()
    respond = (request, response) => (request.url?.startsWith('/files/') ? drip(response) : registry(request, response))
    await expect(mirror().tarball('left', 'left-1.0.0.tgz')).rejects.toMatchObject({ code: 'TOO_SLOW' })
    await hungUp()
    expect(limits).toEqual([120_000, 600_000])
    expect(await readdir(join(folder, 'archives', 'incoming'))).toEqual([])
    await fetch.close()
  })

  it('PK960: an answer that never begins is refused when its time is over', async () => {
    const clock = new AbortController()
    const fetch = new SafeFetch({ trustedOrigins: [origin], timeLimit: () => clock.signal })
    respond = () => clock.abort(new DOMException('It took too long', 'TimeoutError'))
    await expect(fetch.fetch(`${origin}/left`, {})).rejects.toMatchObject({ code: 'TOO_SLOW' })
    await fetch.close()
  })

  it('PK941: metadata that does not end is refused while it comes', async () => {
    const part = Buffer.alloc(1024 * 1024, '1')
    let isClosed = false
    respond = (_request, response) => {
      const more = () => {
        if (isClosed) return
        response.write(part)
        response.once('drain', more)
      }
      response.once('close', () => (isClosed = true))
      response.writeHead(200)
      more()
    }
    await expect(newMirror().metadata('left')).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('PK956: an archive that does not end is refused while it comes, and nothing of it is kept', async () => {
    const store = new ContentStore(folder, 100_000)
    let parts = 0
    async function* endless() {
      for (;;) {
        parts += 1
        yield Buffer.alloc(10_000)
      }
    }
    const checksum = { algorithm: 'sha512', hex: 'ab'.repeat(64) } as const
    await expect(store.add(checksum, endless())).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(parts).toBeLessThan(100)
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
  })

  it('PK12: what is still true is not written again, and is fresh after a restart all the same', async () => {
    const mirror = newMirror()
    await read(mirror)
    const kept = join(folder, 'metadata', 'left.kept')
    const { ino } = await stat(kept)
    time += 400_000
    await read(mirror)
    expect((await stat(kept)).ino).toBe(ino)
    await read(newMirror())
    expect(requests).toEqual(['/left', '/left'])
  })

  it('PK958: versions are chosen from what was kept, by a server that has just started and has no registry', async () => {
    await newMirror().metadata('left')
    respond = (_request, response) => response.destroy()
    const { tags, versions, newestFirst } = await newMirror().index('left')
    expect({ tags, newestFirst }).toEqual({ tags: { latest: '1.0.0' }, newestFirst: ['1.0.0'] })
    expect(versions.get('1.0.0')).toEqual({ dependencies: {}, peers: {}, file: 'left-1.0.0.tgz' })
  })

  it.each([
    ['PK961: the public registry is not asked again for what it said in the last day', undefined, 0],
    ['PK962: a private registry is asked again after some minutes', { authorization: null }, 2],
  ])('%s', async (_, own, more) => {
    const options = { folder, registry: origin, publicBase: 'http://mirror/npm', fetch: fetcher, now: () => time }
    const mirror = new RegistryMirror({ ...options, ...(own && { private: own }) })
    await bytes(mirror)
    const before = requests.length
    time += 400_000
    expect((await mirror.recentIndex('left')).newestFirst).toEqual(['1.0.0'])
    time += 400_000
    expect(await bytes(mirror)).toEqual(archive)
    expect(requests).toHaveLength(before + more)
  })

  it('PK943: metadata is read once for all who ask at the same time', async () => {
    await newMirror().metadata('left')
    const restarted = newMirror()
    const [one, ...others] = await Promise.all(Array.from({ length: 5 }, () => restarted.index('left')))
    expect(others.every((other) => other === one)).toBe(true)
    expect(await restarted.index('left')).toBe(one)
  })

  it.each([
    ['damaged', (kept: Buffer) => kept.fill(0, kept.length - 40, kept.length - 30)],
    ['cut off', (kept: Buffer) => kept.subarray(0, kept.length - 1)],
    ['cut off in its first line', (kept: Buffer) => kept.subarray(0, 20)],
    ['empty', () => Buffer.alloc(0)],
    [
      'kept in another format',
      (kept: Buffer) => Buffer.from(kept.toString('latin1').replace('"format":1', '"format":0'), 'latin1'),
    ],
  ])('PK958: metadata that is %s is asked for anew', async (_, change) => {
    await newMirror().metadata('left')
    const place = join(folder, 'metadata', 'left.kept')
    const kept = await readFile(place)
    await writeFile(place, change(Buffer.from(kept)))
    expect((await newMirror().index('left')).newestFirst).toEqual(['1.0.0'])
    expect(requests).toEqual(['/left', '/left'])
    expect(await readFile(place)).toEqual(kept)
  })

  it('PK958: metadata as older versions have kept it is taken over where there is no registry to ask', async () => {
    const older = metadata('left-1.0.0.tgz')
    older.versions['1.0.0'].dist.tarball = 'http://registry.invalid/npm/left/-/left-1.0.0.tgz'
    await mkdir(join(folder, 'metadata'))
    await writeFile(
      join(folder, 'metadata', 'left.json'),
      JSON.stringify({
        etag: '"v1"',
        archives: { 'left-1.0.0.tgz': { url: `${origin}/files/left-1.0.0.tgz`, checksum: null } },
        body: gzipSync(JSON.stringify(older)).toString('base64'),
      }),
    )
    const offline = new RegistryMirror({ folder, registry: null, publicBase: 'http://mirror/npm', fetch: fetcher })
    expect((await read(offline)).versions['1.0.0'].dist.tarball).toBe('http://mirror/npm/left/-/left-1.0.0.tgz')
    expect(await readdir(join(folder, 'metadata'))).toEqual(['left.kept'])
    expect(await bytes(newMirror())).toEqual(archive)
    expect(requests).toContain('/files/left-1.0.0.tgz')
  })

  it('PK959: mirrors that share a folder and have addresses of their own each name theirs', async () => {
    await newMirror().metadata('left')
    const other = new RegistryMirror({
      folder,
      registry: origin,
      publicBase: 'http://127.0.0.1:9/npm',
      fetch: fetcher,
      now: () => time,
    })
    expect((await read(other)).versions['1.0.0'].dist.tarball).toBe('http://127.0.0.1:9/npm/left/-/left-1.0.0.tgz')
    expect((await read(newMirror())).versions['1.0.0'].dist.tarball).toBe('http://mirror/npm/left/-/left-1.0.0.tgz')
    expect(requests).toEqual(['/left'])
  })

  it('PK2: refuses a name that resolves to a private address', async () => {
    const { port } = upstream.address() as AddressInfo
    await expect(fetcher.fetch(`http://localhost:${port}/left`, {})).rejects.toThrow(/private network/)
    expect(requests).toEqual([])
  })

  it('PK3: a redirect to another origin carries no validators and no credentials', async () => {
    const seen: IncomingMessage['headers'][] = []
    const other = createServer((request, response) => {
      seen.push(request.headers)
      response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const target = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const both = new SafeFetch({ trustedOrigins: [origin, target] })
    respond = (_request, response) => response.writeHead(302, { location: `${target}/x` }).end()
    const response = await both.fetch(`${origin}/left`, {
      accept: 'a/b',
      authorization: 'Bearer secret',
      'if-none-match': '"v1"',
    })
    response.body.resume()
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ accept: 'a/b' })
    expect(seen[0]).not.toHaveProperty('authorization')
    expect(seen[0]).not.toHaveProperty('if-none-match')
    await both.close()
    other.closeAllConnections()
    other.close()
  })
})

describe('egress', () => {
  const ask = (socketPath: string, path: string, method = 'GET') =>
    new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
      request({ socketPath, path, method, headers: { host: 'x' } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
      })
        .on('error', reject)
        .end()
    })
  const tunnel = (socketPath: string, target: string) =>
    new Promise<number>((resolve, reject) => {
      request({ socketPath, path: target, method: 'CONNECT' })
        .on('connect', (response, socket) => {
          socket.destroy()
          resolve(response.statusCode ?? 0)
        })
        .on('error', reject)
        .end()
    })

  it('PK20, PK22, PK23: serves the mirror to one box, read-only, until it is closed', async () => {
    const refused: string[] = []
    const proxy = new EgressProxy({
      mirror: newMirror(),
      allowedHosts: [],
      onRefused: (box, address) => refused.push(`${box} ${address}`),
    })
    const socket = join(folder, 'run', 'egress.sock')
    await proxy.open('box1', socket)
    expect((await ask(socket, '/npm/left/-/left-1.0.0.tgz')).body).toEqual(archive)
    expect((await ask(socket, '/npm/left', 'PUT')).status).toBe(405)
    expect((await ask(socket, '/npm/absent')).status).toBe(404)
    const elsewhere = await ask(socket, `${origin}/left`)
    expect([elsewhere.status, JSON.parse(elsewhere.body.toString())]).toMatchObject([403, { code: 'NOT_ALLOWED' }])
    expect(refused).toEqual([`box1 ${origin}/left`])
    await proxy.close('box1')
    await expect(ask(socket, '/npm/left')).rejects.toThrow()
    await proxy.dispose()
  })

  it('PK21: CONNECT is for allowed hosts at port 443', async () => {
    const proxy = new EgressProxy({ mirror: newMirror(), allowedHosts: ['host.invalid', '*.wild.invalid'] })
    const socket = join(folder, 'egress.sock')
    await proxy.open('box1', socket)
    const refused = [
      'evil.invalid:443',
      'host.invalid:22',
      'host.invalid.evil.invalid:443',
      'xhost.invalid:443',
      'wild.invalid:443',
      'xwild.invalid:443',
      '127.0.0.1:443',
    ]
    for (const target of refused) expect([target, await tunnel(socket, target)]).toEqual([target, 403])
    // Allowed names that do not exist get past the check and fail at the name.
    expect(await tunnel(socket, 'host.invalid:443')).toBe(502)
    expect(await tunnel(socket, 'a.wild.invalid:443')).toBe(502)
    await proxy.dispose()
  })
})
