import { execFile, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Configuration } from './configuration.ts'
import { handedShellsSchema, type HandedShells } from './shell/handedShell.ts'

// The keeper of a box knows these too; see keeperScript.ts of the boxes package.
/** The exit code of a dev server that made way for another one. */
export const MADE_WAY = 75
/** Behind the path of the socket: the pipe on which the keeper hears of those that go on. */
const PIPE_SUFFIX = '.successor'

/** Where a successor has the pipe of the keeper, which it holds as long as it lives, and the first terminal. */
const PIPE_DESCRIPTOR = 3
const FIRST_TERMINAL = 4

/** What the platform asks for: the program of the other dev server, as it is seen in the box. */
export const updateSchema = z.object({ program: z.string().startsWith('/').max(500) })

type Place = Pick<Configuration, 'state' | 'socket' | 'isSuccessor'>

/** What the dev server before this one handed over; null for one that was started in another way. */
export function takeHandover({ state, isSuccessor }: Place): HandedShells | null {
  const path = handoverPath(state)
  const text = isSuccessor ? readFileSync(path, 'utf8') : ''
  // Its descriptors and processes are this start's alone.
  rmSync(path, { force: true })
  if (!isSuccessor) return null
  const handed = handedShellsSchema.parse(JSON.parse(text), { jitless: true })
  closeOtherTerminals(new Set(handed.running.map(({ descriptor }) => descriptor)))
  return handed
}

/**
 * The library lets every program that is started inherit the terminals it has opened, so each was inherited twice: as it was handed over, and
 * under the number it had. Where nobody closes the second, everything that is started from now on has it, and no terminal ever hangs up.
 */
function closeOtherTerminals(handed: ReadonlySet<number | null>): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name)
    if (!handed.has(descriptor) && linkOf(descriptor)?.endsWith('/ptmx') === true) closeSync(descriptor)
  }
}

function linkOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch (error) {
    // The one that the list was read with is gone.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The pipe to the keeper, which outlives this process in whoever is given it. */
export async function openKeeperPipe({ socket, isSuccessor }: Place): Promise<number> {
  if (isSuccessor) return PIPE_DESCRIPTOR
  const path = `${socket}${PIPE_SUFFIX}`
  rmSync(path, { force: true })
  await promisify(execFile)('mkfifo', ['-m', '600', path])
  // For both directions: opening it waits for nobody.
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
}

/** Tells the keeper that this dev server answers, and what to start where it ends. */
export function announceToKeeper({ isSuccessor }: Place): void {
  if (isSuccessor) writeSync(PIPE_DESCRIPTOR, `${process.pid} ${process.argv[1] ?? ''}\n`)
}

/**
 * Starts the dev server that goes on, with the terminals of this one, and ends this process, all in one turn: nothing is read of a terminal
 * between the moment in which it is handed over and the end. Output that comes meanwhile waits in the terminals.
 */
export function startSuccessor(
  { state }: Place,
  program: string,
  pipe: number,
  environment: NodeJS.ProcessEnv,
  handOver: () => HandedShells,
): never {
  const shells = handOver()
  const descriptors: number[] = []
  for (const shell of shells.running) {
    if (shell.descriptor === null) continue
    descriptors.push(shell.descriptor)
    shell.descriptor = FIRST_TERMINAL + descriptors.length - 1
  }
  writeDurably(handoverPath(state), JSON.stringify(shells))
  const { BOXYARD_ENDS: _, ...kept } = environment
  const successor = spawn(process.execPath, [program], {
    env: { ...kept, BOXYARD_SUCCEEDS: 'yes' },
    stdio: ['ignore', 'inherit', 'inherit', pipe, ...descriptors],
  })
  if (successor.pid === undefined) throw new Error(`${program} could not be started`)
  writeSync(pipe, `${successor.pid}\n`)
  process.exit(MADE_WAY)
}

function handoverPath(state: string): string {
  return join(state, 'handover.json')
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  writeFileSync(file, text)
  fsyncSync(file)
  closeSync(file)
}
