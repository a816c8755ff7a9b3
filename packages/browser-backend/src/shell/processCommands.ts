import type { ShellCommand } from './commands.ts'

const NUMBERS: Readonly<Record<string, string>> = { 1: 'HUP', 2: 'INT', 3: 'QUIT', 9: 'KILL', 15: 'TERM' }

/** Everything that runs in the sandbox, and the ports it listens on. */
export const ps: ShellCommand = async (_args, state, { out }) => {
  const rows = (await state.processes()).map(({ pid, ppid, ports, command }) => [
    String(pid),
    String(ppid),
    ports.join(',') || '-',
    command.replaceAll(/\s+/g, ' '),
  ])
  for (const [pid = '', ppid = '', ports = '', command = ''] of [['PID', 'PPID', 'PORT', 'COMMAND'], ...rows])
    out(`${pid.padStart(6)} ${ppid.padStart(6)} ${ports.padEnd(6)} ${command}\n`)
  return 0
}

/** A process that does not hear the signal within a second is ended. */
export const kill: ShellCommand = async (args, state, { err }) => {
  const [first = ''] = args
  const asked = first === '-s' ? args[1] : /^-(?!-)(.+)/.exec(first)?.[1]
  const pids = args.slice(asked === undefined ? 0 : first === '-s' ? 2 : 1)
  const name = (asked ?? 'TERM').toUpperCase().replace(/^SIG/, '')
  const signal = name === '0' ? name : `SIG${NUMBERS[name] ?? name}`
  if (pids.length === 0) {
    err('kill: which process? ps shows them\n')
    return 2
  }
  let status = 0
  for (const pid of pids) {
    try {
      if (!/^\d+$/.test(pid)) throw new Error('this is no number of a process')
      await state.signal(Number(pid), signal)
    } catch (error) {
      status = 1
      const words = error instanceof Error ? error.message : String(error)
      err(`kill: ${pid}: ${words === 'kill ESRCH' ? 'no such process' : words}\n`)
    }
  }
  return status
}
