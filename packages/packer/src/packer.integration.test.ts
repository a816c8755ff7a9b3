import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContentStore } from './contentStore.ts'
import { EgressProxy } from './egressProxy.ts'
import { RegistryMirror } from './registryMirror.ts'
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
    const kept = join(folder, 'metadata', 'left.json')
    const { ino } = await stat(kept)
    time += 400_000
    await read(mirror)
    expect((await stat(kept)).ino).toBe(ino)
    await read(newMirror())
    expect(requests).toEqual(['/left', '/left'])
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
