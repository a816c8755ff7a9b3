import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Writable } from 'node:stream'
import type { BoxCapability, DriverProbe } from '../driver.ts'
import { hostPath, tryCommand } from '../runCommand.ts'
import type { BwrapSandboxOptions } from './bwrapSandbox.ts'
import { BOX_HOST_USER } from './bwrapSandbox.ts'
import { inMountNamespace } from './launchScript.ts'
import { hostSystem, nodeInstallation } from './rootFileSystem.ts'
import { seccompFilter } from './seccomp.ts'

const PROBE_DEADLINE_MS = 15_000
const PROBE_ARGUMENTS = [
  ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
  ['--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--hostname', 'probe', '--seccomp', '3'],
  ['--proc', '/proc', '--dev', '/dev', '--size', '65536', '--tmpfs', '/tmp', '--remount-ro', '/'],
  ['--', '/usr/bin/env', 'true'],
].flat()

/** Starts a real sandbox with everything that boxes are started with, and explains what stands in the way. */
export async function probeBwrap(options: BwrapSandboxOptions): Promise<DriverProbe> {
  const refuse = (...reasons: string[]): DriverProbe => ({
    ok: false,
    capabilities: new Set(),
    isolation: 'namespace',
    reasons,
  })
  if (process.platform !== 'linux') return refuse('bubblewrap needs Linux; this machine runs another system.')
  if (process.arch !== 'x64' && process.arch !== 'arm64') {
    return refuse(`There is no system call filter for ${process.arch} processors; boxes need x86_64 or aarch64.`)
  }
  for (const [program, needed] of Object.entries({
    bwrap: 'bubblewrap',
    unshare: 'util-linux',
    setpriv: 'util-linux',
  })) {
    if ((await tryCommand(program, ['--version'])).code !== 0) {
      return refuse(
        `The program ${program} is missing. Install the package ${needed}, for example: apt install ${needed}`,
      )
    }
  }
  const started = await tryStart(options.root)
  if (started !== null) return refuse(...started)

  const reasons = [
    options.root
      ? 'Boxes run as an unprivileged user of their own, started by root.'
      : 'Boxes run rootless, as the user of the server.',
  ]
  const capabilities = new Set<BoxCapability>(['pause', 'liveFork', 'updateOnline', 'egressPolicy'])
  const cgroups = options.cgroups?.describe()
  if (cgroups?.hard) capabilities.add('hardLimits').add('resizeOnline')
  reasons.push(...(cgroups?.reasons ?? ['Boxes have no limits of processor and memory.']))
  if (!(await nodeInstallation(options.node)).npm) {
    reasons.push('npm is missing in boxes: the node that runs the server is installed without it.')
  }
  return { ok: true, capabilities, isolation: 'namespace', reasons }
}

/** Null when a sandbox started, else why not. */
async function tryStart(root: boolean): Promise<string[] | null> {
  const { uid, gid } = BOX_HOST_USER
  const [command, args] = inMountNamespace(root, 'exec "$@"', [
    ...(root ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all', '--'] : []),
    'bwrap',
    ...(await hostSystem()),
    ...PROBE_ARGUMENTS,
  ])
  const result = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const child = spawn(command, args, {
      cwd: '/',
      env: { PATH: hostPath(), LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      timeout: PROBE_DEADLINE_MS,
      killSignal: 'SIGKILL',
    })
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const filter = child.stdio[3]
    if (filter instanceof Writable) filter.on('error', () => undefined).end(seccompFilter(process.arch))
    child.once('error', (error) => resolve({ code: null, stderr: error.message }))
    child.once('close', (code) => resolve({ code, stderr }))
  })
  if (result.code === 0) return null
  const said = result.stderr.trim().split('\n').slice(-2).join(' ')
  if (/unknown option/i.test(said)) {
    return [`The installed bubblewrap is too old; boxes need version 0.8 or newer. It said: ${said}`]
  }
  if (await readsAs('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1')) {
    return [
      'AppArmor keeps ordinary users from making user namespaces, which boxes need. Allow it with: ' +
        'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or install an AppArmor profile for bwrap.',
      `It said: ${said}`,
    ]
  }
  if (await readsAs('/proc/sys/kernel/unprivileged_userns_clone', '0')) {
    return [
      'The kernel keeps ordinary users from making user namespaces, which boxes need. Allow it with: ' +
        'sysctl -w kernel.unprivileged_userns_clone=1',
      `It said: ${said}`,
    ]
  }
  if (await readsAs('/proc/sys/user/max_user_namespaces', '0')) {
    return [
      'User namespaces, which boxes need, are switched off. Allow them with: sysctl -w user.max_user_namespaces=15000',
      `It said: ${said}`,
    ]
  }
  return [
    'A sandbox could not be started. In a container, namespaces must be allowed (for Docker: a seccomp profile that permits unshare and mount).',
    `It said: ${said || `ended with ${result.code}`}`,
  ]
}

async function readsAs(file: string, value: string): Promise<boolean> {
  try {
    return (await readFile(file, 'utf8')).trim() === value
  } catch {
    // Kernels without the setting do not restrict by it.
    return false
  }
}
