import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from './startError.ts'

const holderSchema = z.object({ pid: z.number().int(), startedAt: z.string() })

/**
 * Makes sure that one server at a time uses a home folder. The lock names its holder by process id and start time, so that a
 * killed server or a reused process id never blocks the next start. Throws StartError while the holder lives.
 */
export function lockHome(home: string): { release(): void } {
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o755 })
  const path = join(home, 'run', 'server.lock')
  const own = JSON.stringify({ pid: process.pid, startedAt: startTimeOf(process.pid) ?? '' })
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, own, { mode: 0o600 })
  try {
    for (;;) {
      if (tryLink(draft, path)) break
      const held = readIfThere(path)
      if (held === null) continue
      const holder = parseHolder(held)
      if (holder && startTimeOf(holder.pid) === holder.startedAt) {
        throw new StartError(
          `Another server (process ${holder.pid}) uses ${home}. Stop it first, or set BOXYARD_HOME to another folder.`,
        )
      }
      removeStale(path, held)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return {
    release() {
      if (readIfThere(path) === own) rmSync(path, { force: true })
    },
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Moves the file away and looks again: if it is not the stale one any more, another start won and gets its lock back. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  if (readIfThere(aside) !== stale) tryLink(aside, path)
  rmSync(aside, { force: true })
}

function parseHolder(text: string): z.infer<typeof holderSchema> | null {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    // A torn write of a server that died while it started holds nothing.
    return null
  }
}

/** Start time of a living process in the kernel's own count, or null when there is none. */
function startTimeOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === null) return null
  // Field 22, counted after the command name, which may itself hold spaces and parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
