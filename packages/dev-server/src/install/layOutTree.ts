import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import type { Lockfile } from './plainInstall.ts'

/** Where the platform answers, behind the socket of its egress. */
const TREE_PATH = '/packages/tree'
const DRAFT = '.tree-'
/** What the platform reads of each package of a lockfile. */
const WANTED = [
  'name',
  'version',
  'resolved',
  'integrity',
  'link',
  'inBundle',
  'optional',
  'devOptional',
  'bundleDependencies',
  'os',
  'cpu',
  'libc',
  'bin',
]

export interface LayOutTree {
  /** The folder of package.json. */
  project: string
  lockfile: Lockfile
  /** The socket of the egress: not its relay, so that a large tree does not pass through the dev server, where people type. */
  egressSocket: string
}

/**
 * Fills node_modules with what the platform has for the lockfile. The paths of the packages that are there now, or null when the platform
 * has nothing: node_modules is then as it was.
 */
export async function layOutTree({ project, lockfile, egressSocket }: LayOutTree): Promise<string[] | null> {
  const answer = await askForTree(egressSocket, lockfile)
  if (answer === null) return null
  const modules = join(project, 'node_modules')
  await mkdir(modules, { recursive: true })
  // Inside of node_modules, which nobody watches.
  const draft = await mkdtemp(join(modules, DRAFT))
  try {
    await unpack(answer, draft)
    for (const name of await readdir(modules)) {
      if (!draft.endsWith(name)) await rm(join(modules, name), { recursive: true, force: true })
    }
    for (const name of await readdir(draft)) await rename(join(draft, name), join(modules, name))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  const installed = await installedOf(project, lockfile)
  await writeHiddenLockfile(modules, lockfile, installed)
  return installed
}

async function askForTree(egressSocket: string, lockfile: Lockfile): Promise<IncomingMessage | null> {
  const packages = Object.entries(lockfile.packages).map(([path, entry]) => [
    path,
    Object.fromEntries(WANTED.map((field) => [field, entry[field]])),
  ])
  const { lockfileVersion } = lockfile
  const wanted = {
    lockfile: { lockfileVersion, packages: Object.fromEntries(packages) as unknown },
    platform: machine(),
  }
  const body = gzipSync(JSON.stringify(wanted), { level: 1 })
  const outgoing = request({
    socketPath: egressSocket,
    method: 'POST',
    path: TREE_PATH,
    headers: { host: 'boxyard', 'content-length': body.length, connection: 'close' },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(body)
  const [response] = await answered
  if (response.statusCode === 200) return response
  response.resume()
  return null
}

function machine(): { os: string; cpu: string; libc: 'glibc' | 'musl' | null } {
  const isLinux = process.platform === 'linux'
  // It would look up names of hosts, which takes seconds where nobody answers.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return {
    os: process.platform,
    cpu: process.arch,
    libc: isLinux ? (header.glibcVersionRuntime === undefined ? 'musl' : 'glibc') : null,
  }
}

/** Rejects unless every byte arrived and was written; nothing is being written any more then. */
async function unpack(archive: IncomingMessage, folder: string): Promise<void> {
  // With the time of now, as npm does it.
  const options = ['-x', '-m', '--no-same-owner', '-C', folder, '-f', '-']
  const tar = spawn('tar', options, { stdio: ['pipe', 'ignore', 'inherit'] })
  const sent = pipeline(archive, tar.stdin)
  // Waited for below, once nothing writes any more.
  sent.catch(() => undefined)
  const [code] = (await once(tar, 'close')) as [number | null]
  // tar may end at the mark of the end, before its input does.
  if (code === 0 && archive.complete) return
  await sent
  throw new Error(`the packages did not arrive as a whole, tar ended with ${code}`)
}

async function installedOf(project: string, lockfile: Lockfile): Promise<string[]> {
  const paths = Object.keys(lockfile.packages).filter((path) => path !== '')
  const there = await Promise.all(
    paths.map((path) =>
      stat(join(project, path)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return paths.filter((_, index) => there[index])
}

/** What npm and bundlers read to see what is installed; npm believes it when nothing in node_modules is younger. */
async function writeHiddenLockfile(modules: string, lockfile: Lockfile, installed: readonly string[]): Promise<void> {
  const { lockfileVersion, packages, name, version } = lockfile
  const content = {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    lockfileVersion,
    requires: true,
    packages: Object.fromEntries(installed.map((path) => [path, packages[path]])),
  }
  await writeFile(join(modules, '.package-lock.json'), `${JSON.stringify(content, null, 2)}\n`)
}
