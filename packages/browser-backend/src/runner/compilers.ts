import type { FromRunner, ProjectProblem, ToRunner } from '../common/messages.ts'
import { interop } from './packLoader.ts'
import { compileSvelte } from './compileSvelte.ts'
import { compileVue } from './compileVue.ts'

type Request = Extract<ToRunner, { type: 'compile' }> & { packs: string }

const compile = { vue: compileVue, svelte: compileSvelte }

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  const { id, kind, path, text, pack, packs, specifier } = data
  const answer = (message: FromRunner) => self.postMessage(message)
  try {
    const part = pack.imports[specifier]
    if (!part?.file) throw new Error(`${specifier} is not packed`)
    const module = (await import(/* @vite-ignore */ `${packs}${pack.id}/${part.file}`)) as Record<string, unknown>
    const made = compile[kind]((part.interop === 'cjs' ? interop(module['default']) : module) as never, path, text)
    answer({ type: 'compiled', id, ...made })
  } catch (error) {
    answer({ type: 'compiled', id, problem: problemOf(error, path) })
  }
}

interface CompilerFailure {
  message?: string
  frame?: string
  start?: { line: number; column: number }
  loc?: { start?: { line: number; column: number } }
}

function problemOf(error: unknown, file: string): ProjectProblem {
  const { message, frame, start, loc } = error as CompilerFailure
  const place = start ?? loc?.start
  return {
    message: message ?? String(error),
    file,
    line: place?.line ?? null,
    column: place ? place.column + 1 : null,
    frame: frame ?? null,
  }
}
