/** More than anybody writes; each alternative is a pattern of its own. */
const MAX_ALTERNATIVES = 64

/** `many` is any number of units, `folders` any number of names that each end with a slash. */
type Step =
  { kind: 'one'; accepts: (unit: string) => boolean } | { kind: 'many'; crosses: boolean } | { kind: 'folders' }

/**
 * Whether a path fits a glob: `**` crosses folders, `*`, `?` and `[...]` stay in one name, `{a,b}` are alternatives. Not an expression that
 * backtracks: clients write globs, and everybody's work goes through this thread.
 */
export function pathPattern(glob: string): (path: string) => boolean {
  const patterns = alternatives(glob).map(stepsOf)
  return (path) => patterns.some((steps) => fits(steps, path))
}

function alternatives(glob: string): string[] {
  let begun = ['']
  for (const part of glob.split(/(\{[^{}]*\})/)) {
    const choices = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1).split(',') : [part]
    begun = begun.flatMap((text) => choices.map((choice) => text + choice)).slice(0, MAX_ALTERNATIVES)
  }
  return begun
}

function stepsOf(glob: string): Step[] {
  return glob.split(/((?<=^|\/)\*\*\/|\*\*+|\*|\?|\[[!^]?[^\]/]+\])/).flatMap((part): Step[] => {
    if (part === '**/') return [{ kind: 'folders' }]
    if (part.startsWith('*')) return [{ kind: 'many', crosses: part !== '*' }]
    if (part === '?') return [{ kind: 'one', accepts: (unit) => unit !== '/' }]
    if (part.length > 2 && part.startsWith('[') && part.endsWith(']')) {
      return [{ kind: 'one', accepts: oneOf(part.slice(1, -1)) }]
    }
    return part.split('').map((expected) => ({ kind: 'one', accepts: (unit) => unit === expected }))
  })
}

function oneOf(set: string): (unit: string) => boolean {
  const isNot = /^[!^]./.test(set)
  const members = new Set((isNot ? set.slice(1) : set).split(''))
  return (unit) => unit !== '/' && members.has(unit) !== isNot
}

/**
 * Takes as little as possible for each wildcard, and more for the last one when what follows does not fit: whatever an earlier one could
 * take beyond that, the last one can take as well.
 */
function fits(steps: readonly Step[], path: string): boolean {
  let [step, at] = [0, 0]
  let inName: { step: number; at: number } | undefined
  let across: { step: number; at: number } | undefined
  for (;;) {
    const expected = steps[step]
    if (expected === undefined && at === path.length) return true
    if (expected?.kind === 'one' && at < path.length && expected.accepts(path[at]!)) {
      step += 1
      at += 1
      continue
    }
    if (expected && expected.kind !== 'one') {
      if (expected.kind === 'many' && !expected.crosses) inName = { step, at }
      else [inName, across] = [undefined, { step, at }]
      step += 1
      continue
    }
    if (inName && inName.at < path.length && path[inName.at] !== '/') {
      inName.at += 1
      ;({ step, at } = inName)
    } else if (across) {
      const next = steps[across.step]!.kind === 'folders' ? path.indexOf('/', across.at) : across.at
      if (next === -1 || next >= path.length) return false
      across.at = next + 1
      inName = undefined
      ;({ step, at } = across)
    } else {
      return false
    }
    step += 1
  }
}
