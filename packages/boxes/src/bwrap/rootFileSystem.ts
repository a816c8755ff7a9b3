import { lstat, mkdir, readdir, readlink, realpath, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { boxPaths, boxUser } from '../boxContract.ts'
import { isMissing } from '../durableFile.ts'

/** Top-level folders that are links into /usr on most systems and real folders on some. */
const SYSTEM_FOLDERS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** What programs need of the host's /etc. Keys, users, hosts, mounts and services of the host are not among it. */
const ETC = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'fonts',
  'inputrc',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'os-release',
  'pki/ca-trust',
  'pki/tls/certs',
  'profile',
  'protocols',
  'python3',
  'services',
  'shells',
  'ssl/certs',
  'ssl/openssl.cnf',
  'terminfo',
  'timezone',
  'zsh',
]

/** Where the launcher gathers what bubblewrap then puts into the box, as bubblewrap sees it. */
export const STAGE = '/tmp'

/** The host's system as arguments of bubblewrap: read-only, and the same for every box. */
export async function hostSystem(): Promise<string[]> {
  const args = ['--ro-bind', '/usr', '/usr']
  for (const name of SYSTEM_FOLDERS) {
    const folder = `/${name}`
    try {
      const found = await lstat(folder)
      if (found.isSymbolicLink()) args.push('--symlink', await readlink(folder), folder)
      else args.push('--ro-bind', folder, folder)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  for (const name of ETC) args.push('--ro-bind-try', `/etc/${name}`, `/etc/${name}`)
  return args
}

/** The login shell of a box, and whether it is there. */
export async function loginShell(): Promise<string> {
  for (const shell of ['/usr/bin/zsh', '/usr/bin/bash', '/bin/sh']) {
    try {
      await stat(shell)
      return shell
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return '/bin/sh'
}

/** Writes the files of /etc that are the box's own into `folder` and returns their names. */
export async function writeOwnEtc(folder: string, hostname: string, shell: string): Promise<string[]> {
  const { name, uid, gid } = boxUser
  const files: Record<string, string> = {
    passwd: `root:x:0:0::/root:/usr/sbin/nologin\n${name}:x:${uid}:${gid}::${boxPaths.home}:${shell}\nnobody:x:65534:65534::/:/usr/sbin/nologin\n`,
    group: `root:x:0:\n${name}:x:${gid}:\nnogroup:x:65534:\n`,
    hosts: `127.0.0.1 localhost ${hostname}\n::1 localhost ${hostname}\n`,
    hostname: `${hostname}\n`,
    // Nothing answers there: a box reaches the network only through the egress proxy, which resolves names itself.
    'resolv.conf': 'nameserver 127.0.0.1\noptions attempts:1 timeout:1\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
  }
  await mkdir(folder, { recursive: true, mode: 0o755 })
  for (const [file, content] of Object.entries(files))
    await writeFile(path.join(folder, file), content, { mode: 0o644 })
  return Object.keys(files)
}

/** Where node is on the host, and where that belongs in the box. */
export interface NodeInstallation {
  source: string
  target: string
  npm: boolean
}

/** The folder that holds bin/node, or the program alone where it is installed without its folder. */
export async function nodeInstallation(node: string): Promise<NodeInstallation> {
  const program = await realpath(node)
  const bin = path.dirname(program)
  if (path.basename(bin) !== 'bin' || path.basename(program) !== 'node') {
    return { source: program, target: boxPaths.node, npm: false }
  }
  const target = path.dirname(path.dirname(boxPaths.node))
  return { source: path.dirname(bin), target, npm: (await readdir(bin)).includes('npm') }
}
