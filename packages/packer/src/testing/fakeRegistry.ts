import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import type { Headers } from 'tar-stream'

export interface FakePackage {
  name: string
  version: string
  /** Members of its package.json besides name and version. */
  manifest?: Record<string, unknown>
  files?: Record<string, string>
}

/** An archive as the registry has it, with entries exactly as given. */
export async function archiveOf(entries: readonly (Headers & { content?: string | Buffer })[]): Promise<Buffer> {
  const tar = pack()
  for (const { content, ...header } of entries) tar.entry(header, content)
  tar.finalize()
  return buffer(tar.pipe(createGzip()))
}

/** One entry of an archive byte by byte, without the end of an archive behind it: what no program that makes archives would write. */
export function tarEntry({
  name,
  flag = '0',
  content = '',
}: {
  name: string
  flag?: string
  content?: string
}): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  for (const [text, at] of [
    ['0000644\0', 100],
    ['0000000\0', 108],
    ['0000000\0', 116],
    [`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124],
    ['00000000000\0', 136],
    [' '.repeat(8), 148],
    [flag, 156],
    ['ustar\x0000', 257],
  ] as const)
    header.write(text, at, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const padding = (512 - (Buffer.byteLength(content) % 512)) % 512
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc(padding)])
}

/** Says something of the entry that follows, such as another length. */
export function paxEntry(key: string, value: string): Buffer {
  const said = ` ${key}=${value}\n`
  const digits = String(said.length).length
  const length = said.length + String(said.length + digits).length
  return tarEntry({ name: 'pax', flag: 'x', content: `${length}${said}` })
}

/**
 * A registry of made-up packages on a free port, which counts what it is asked for. With `authorization` it has nothing
 * for those who don't send that header.
 */
export async function startFakeRegistry(packages: readonly FakePackage[], authorization?: string) {
  const archives = new Map<string, Buffer>()
  const documents = new Map<string, { name: string; 'dist-tags': Record<string, string>; versions: object }>()
  const requests: string[] = []
  let isAway = false
  let failure: { status: number; body: string } | null = null
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (isAway) return response.destroy()
    if (failure) return response.writeHead(failure.status).end(failure.body)
    if (authorization !== undefined && request.headers.authorization === undefined)
      return response.writeHead(404).end('{}')
    if (authorization !== undefined && request.headers.authorization !== authorization)
      return response.writeHead(401).end(JSON.stringify({ errors: { detail: 'This key opens nothing.' } }))
    const path = decodeURIComponent(request.url ?? '')
    const archive = archives.get(path)
    if (archive) return response.end(archive)
    const document = documents.get(path.slice(1))
    return document ? response.end(JSON.stringify(document)) : response.writeHead(404).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const publish = async ({ name, version, manifest = {}, files = {} }: FakePackage, given?: Buffer) => {
    const content = { 'package.json': JSON.stringify({ name, version, ...manifest }), ...files }
    const archive =
      given ??
      (await archiveOf(Object.entries(content).map(([path, text]) => ({ name: `package/${path}`, content: text }))))
    const path = `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
    archives.set(path, archive)
    const document = documents.get(name) ?? { name, 'dist-tags': {}, versions: {} }
    documents.set(name, document)
    document['dist-tags']['latest'] = version
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
    Object.assign(document.versions, {
      [version]: { name, version, ...manifest, dist: { tarball: origin + path, integrity } },
    })
    return { path, document }
  }
  for (const one of packages) await publish(one)

  return {
    origin,
    requests,
    publish,
    /** Has no archive at this path anymore. */
    forget: (path: string) => archives.delete(path),
    /** Serves other bytes than were promised. */
    tamper: (path: string, content: Buffer) => archives.set(path, content),
    tag: (name: string, tag: string, version: string) => (documents.get(name)!['dist-tags'][tag] = version),
    setAway: (away: boolean) => (isAway = away),
    /** Answers everything with this; null: as it should again. */
    failWith: (answer: { status: number; body: string } | null) => (failure = answer),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
