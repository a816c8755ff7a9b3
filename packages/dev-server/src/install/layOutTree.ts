import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Lockfile } from './plainInstall.ts'

/** Where the platform answers, behind the socket of its egress. */
const TREE_PATH = '/packages/tree'
const DRAFT = '.tree-'
/** What the platform puts at the end of every tree: tar takes an archive that is cut off between two files for a whole one. */
const LAST_ENTRY = '.tree-is-whole'
/** EX_UNAVAILABLE of sysexits.h. */
const NO_TREE = 69
/** Of our own: the folder is the tree now. */
const GIVEN = 64
/** Reads the head of the answer, byte by byte as `read` does, then becomes tar. With the time of now, as npm does it. */
const UNPACK_ANSWER = `IFS= read -r status || exit ${NO_TREE}
case $status in 'HTTP/1.1 200 '*) ;; 'HTTP/1.1 201 '*) exit ${GIVEN} ;; *) exit ${NO_TREE} ;; esac
end=$(printf '\\r')
while IFS= read -r line && [ "$line" != "$end" ]; do :; done
exec tar -x -m --no-same-owner -C "$1" -f -`
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
  /** The workspace, whose folders the platform can put a tree in the place of, where it is known. */
  workspace?: string | undefined
}

/**
 * Fills node_modules with what the platform has for the lockfile. The paths of the packages that are there now, or null when the platform
 * has nothing: node_modules is then as it was.
 */
export async function layOutTree({ project, lockfile, egressSocket, workspace }: LayOutTree): Promise<string[] | null> {
  const modules = join(project, 'node_modules')
  const isNew = (await mkdir(modules, { recursive: true })) !== undefined
  // Inside of node_modules, which nobody watches.
  const draft = await mkdtemp(join(modules, DRAFT))
  try {
    if (!(await unpackTree(egressSocket, lockfile, draft, folderInWorkspace(workspace, draft)))) {
      await rm(draft, { recursive: true, force: true })
      if (isNew) await rmdir(modules)
      return null
    }
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

/** Where the platform finds a folder, or undefined when it lies outside of the workspace. */
function folderInWorkspace(workspace: string | undefined, folder: string): string | undefined {
  const path = workspace === undefined ? undefined : relative(workspace, folder)
  return path === undefined || path.startsWith('..') ? undefined : path
}

/** Makes an empty folder the tree of a lockfile: the platform puts it there, or sends it to be unpacked. False when the platform has none. Rejects when it did not arrive as a whole. */
async function unpackTree(
  egressSocket: string,
  lockfile: Lockfile,
  folder: string,
  into: string | undefined,
): Promise<boolean> {
  const socket = await ask(egressSocket, lockfile, into)
  try {
    // The connection itself is the input: a tree of a hundred megabytes does not pass through a Node that carries it from hand to hand.
    const unpacking = spawn('/bin/sh', ['-c', UNPACK_ANSWER, 'unpack', folder], {
      stdio: [socket, 'ignore', 'inherit'],
    })
    const [code] = (await once(unpacking, 'close')) as [number | null]
    if (code === NO_TREE) return false
    if (code === GIVEN) return true
    if (code !== 0) throw new Error(`the packages could not be unpacked, tar ended with ${code}`)
    await rm(join(folder, LAST_ENTRY)).catch((cause: unknown) => {
      throw new Error('the packages did not arrive as a whole', { cause })
    })
    return true
  } finally {
    socket.destroy()
  }
}

/** A connection on which the answer is about to arrive; nothing of it has been read. */
async function ask(egressSocket: string, lockfile: Lockfile, into: string | undefined): Promise<Socket> {
  const packages = Object.entries(lockfile.packages).map(([path, entry]) => [
    path,
    Object.fromEntries(WANTED.map((field) => [field, entry[field]])),
  ])
  const { lockfileVersion } = lockfile
  const wanted = {
    lockfile: { lockfileVersion, packages: Object.fromEntries(packages) as unknown },
    platform: machine(),
    into,
  }
  const body = gzipSync(JSON.stringify(wanted), { level: 1 })
  // In 1.0 an answer is never in pieces, each with its length before it.
  const head = `POST ${TREE_PATH} HTTP/1.0\r\nhost: boxyard\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`
  const socket = connect({ path: egressSocket })
  // From the beginning: what this process has read is lost to the one that unpacks.
  socket.pause()
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.write(head)
    socket.write(body, () => resolve())
  })
  return socket
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
