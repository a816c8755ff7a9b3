import { cutProblem } from '../common/cutProblem.ts'
import type { CompiledForeignFile, FromRunner, ProjectProblem, RunnerPack, ToRunner } from '../common/messages.ts'
import { interop } from './packLoader.ts'

export type CompileRequest = Extract<ToRunner, { type: 'compile' }>
export type CompileAnswer = Extract<FromRunner, { type: 'compiled' }>

/** Answers a request with what `compile` makes of it, or with what is wrong. `compile` gets the compiler, if that is part of a pack. */
export async function runCompiler(
  request: CompileRequest,
  packs: string,
  compile: (compiler: unknown, request: CompileRequest) => CompiledForeignFile | Promise<CompiledForeignFile>,
): Promise<CompileAnswer> {
  const { id, path, compiler } = request
  try {
    const loaded = compiler && (await loadPart(compiler.pack, compiler.specifier, packs))
    return { type: 'compiled', id, ...(await compile(loaded, request)) }
  } catch (error) {
    return { type: 'compiled', id, problem: cutProblem(problemOf(error, path)) }
  }
}

/** A script of a pack, as a namespace. The browser fetches it once. */
export async function loadPart(pack: RunnerPack, specifier: string, packs: string): Promise<Record<string, unknown>> {
  const part = pack.imports[specifier]
  if (!part?.file) throw new Error(`${specifier} is not packed`)
  const module = (await import(/* @vite-ignore */ `${packs}${pack.id}/${part.file}`)) as Record<string, unknown>
  return part.interop === 'cjs' ? interop(module['default']) : module
}

interface CompilerFailure {
  message?: string
  frame?: string
  start?: { line: number; column: number }
  loc?: { start?: { line: number; column: number } }
  /** Of MDX; from 1. */
  place?: { line?: number; column?: number; start?: { line: number; column: number } }
  reason?: string
  /** Of Sass; from 0, and maybe in another file. */
  sassMessage?: string
  span?: { start: { line: number; column: number }; url?: URL }
}

function problemOf(error: unknown, file: string): ProjectProblem {
  const { message, frame, start, loc, span, sassMessage, place: marked, reason } = error as CompilerFailure
  if (span && sassMessage !== undefined) {
    const { line, column } = span.start
    const at = span.url ? decodeURI(span.url.pathname) : file
    return { message: sassMessage, file: at, line: line + 1, column: column + 1, frame: null }
  }
  if (reason !== undefined) {
    const { line = null, column = null } = marked?.start ?? marked ?? {}
    return { message: reason, file, line, column, frame: null }
  }
  const place = start ?? loc?.start
  return {
    message: message ?? String(error),
    file,
    line: place?.line ?? null,
    column: place ? place.column + 1 : null,
    frame: frame ?? null,
  }
}
