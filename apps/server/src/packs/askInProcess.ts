import { packRequestSchema } from '@boxyard/packer'
import type { PackRequest } from '@boxyard/packer'
import { spawn } from 'node:child_process'
import { z } from 'zod'
import type { ProjectFiles } from './projectFiles.ts'

/** To look through a project takes well under a second; what takes longer or more is meant to do harm. */
const MAX_MS = 20_000
const MAX_HEAP_MIB = 512
const MAX_ANSWER = 1024 * 1024

/** A project may name what no request may: those are left out. */
const answerSchema = z.array(z.unknown()).max(1000)

/**
 * What the preview of a project will ask the packer for. The compiler that finds it out gets code of anybody to read, so it is a process of
 * its own without anything of the server's, which ends when it takes too long or too much. Rejects then, with an Error that says so.
 */
export async function askInProcess(script: string, files: ProjectFiles): Promise<PackRequest[]> {
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MIB}`, script], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  })
  const said: Buffer[] = []
  let length = 0
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_ANSWER) child.kill('SIGKILL')
    else said.push(chunk)
  })
  // It ended before it read everything, which its end says better.
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(files))
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  if (status !== 0) throw new Error(`the process that looks through a project ended with ${status ?? signal}`)
  return answerSchema.parse(JSON.parse(Buffer.concat(said).toString())).flatMap((one) => {
    const request = packRequestSchema.safeParse(one)
    return request.success ? [request.data] : []
  })
}
