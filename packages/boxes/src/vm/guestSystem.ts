import { chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { boxPaths, boxUser } from '../boxContract.ts'
import { isMissing } from '../durableFile.ts'
import { diskCommand } from '../runCommand.ts'

/** What a guest has, next to what these need. */
export const systemPackages = [
  ['base-files', 'bash', 'ca-certificates', 'coreutils', 'curl', 'dash', 'debianutils', 'diffutils', 'findutils'],
  ['git', 'grep', 'gzip', 'less', 'libstdc++6', 'mawk', 'nano', 'ncurses-base', 'openssh-client', 'patch', 'procps'],
  ['python3', 'ripgrep', 'sed', 'tar', 'unzip', 'util-linux', 'xz-utils', 'zsh'],
].flat()

/** Nothing of it is run in a guest. */
const LEFT_OUT = [
  './usr/share/doc/*',
  './usr/share/man/*',
  './usr/share/locale/*',
  './usr/share/info/*',
  './var/cache/*',
]

/** What the scripts of the packages would have made. */
const LINKS: Readonly<Record<string, string>> = {
  'usr/bin/sh': 'dash',
  'usr/bin/awk': 'mawk',
  'usr/bin/which': 'which.debianutils',
  'usr/bin/editor': 'nano',
  'usr/bin/pager': 'less',
  'etc/mtab': '../proc/self/mounts',
}

const MERGED = ['bin', 'sbin', 'lib', 'lib64'] as const
const FOLDERS = [
  ['proc', 'sys', 'dev', 'run', 'tmp', 'mnt', 'root', 'var/tmp', 'var/lib', 'etc/ssl/certs', 'usr/local/bin'],
  [boxPaths.workspace, boxPaths.home, boxPaths.state, path.dirname(boxPaths.devServer)],
].flat()

/** Unpacks packages into `root` and settles what is otherwise settled at an installation. None of their scripts runs. */
export async function unpackSystem(root: string, packages: readonly string[]): Promise<void> {
  for (const name of MERGED) {
    await mkdir(path.join(root, 'usr', name), { recursive: true })
    await symlink(`usr/${name}`, path.join(root, name))
  }
  for (const file of packages) await unpackPackage(root, file)
  for (const name of FOLDERS) await mkdir(path.join(root, name), { recursive: true, mode: 0o755 })
  await chmod(path.join(root, 'root'), 0o700)
  for (const [name, target] of Object.entries(LINKS)) {
    await rm(path.join(root, name), { force: true })
    await symlink(target, path.join(root, name))
  }
  await writeFile(path.join(root, 'etc/ssl/certs/ca-certificates.crt'), await certificates(root))
  for (const [name, content] of Object.entries(etc())) await writeFile(path.join(root, 'etc', name), content)
}

export async function unpackPackage(root: string, file: string): Promise<void> {
  const archive = `${root}.tar`
  const excluded = LEFT_OUT.map((pattern) => `--exclude=${pattern}`)
  try {
    await diskCommand('sh', ['-c', 'dpkg-deb --fsys-tarfile "$1" > "$2"', 'sh', file, archive])
    await diskCommand('tar', ['-x', '-p', '--keep-directory-symlink', ...excluded, '-C', root, '-f', archive])
  } finally {
    await rm(archive, { force: true })
  }
}

async function certificates(root: string): Promise<string> {
  const folder = path.join(root, 'usr/share/ca-certificates/mozilla')
  const texts: string[] = []
  try {
    for (const name of (await readdir(folder)).toSorted()) texts.push(await readFile(path.join(folder, name), 'utf8'))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return texts.join('\n')
}

function etc(): Record<string, string> {
  const { name, uid, gid } = boxUser
  const shell = '/usr/bin/zsh'
  return {
    passwd: `root:x:0:0::/root:/usr/sbin/nologin\n${name}:x:${uid}:${gid}::${boxPaths.home}:${shell}\nnobody:x:65534:65534::/:/usr/sbin/nologin\n`,
    group: `root:x:0:\ntty:x:5:\n${name}:x:${gid}:\nnogroup:x:65534:\n`,
    shells: '/bin/sh\n/usr/bin/bash\n/usr/bin/zsh\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
    // Nothing answers there: a box reaches the network only through the egress proxy, which resolves names itself.
    'resolv.conf': 'nameserver 127.0.0.1\noptions attempts:1 timeout:1\n',
    // Each guest puts its own over these.
    hostname: '',
    hosts: '',
    'machine-id': '',
  }
}
