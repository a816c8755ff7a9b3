import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { BoxError } from '../errors.ts'

const packedSchema = z.array(z.object({ filename: z.string() })).length(1)

/** Downloads a package by npm, from the registry that npm is configured with and checked by it. Nothing of the package runs. */
export async function packNpmPackage(spec: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  try {
    const { stdout } = await promisify(execFile)('npm', ['pack', spec, '--json', '--ignore-scripts'], { cwd: folder })
    return path.join(folder, packedSchema.parse(JSON.parse(stdout))[0]?.filename ?? '')
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n').slice(0, 4).join(' ') : String(error)
    throw new BoxError('SANDBOX_FAILED', `npm did not download ${spec}: ${said}`, { cause: error })
  }
}
