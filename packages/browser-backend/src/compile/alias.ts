/** A rule that gives imports another meaning. */
export interface Alias {
  /** What stands for the `*` of the targets when the rule applies, or undefined. */
  matches(specifier: string): string | undefined
  /** Paths in the project, or parts of packages, which do not begin with a slash. */
  targets: readonly string[]
  /** Whether nothing else can be meant. */
  isFinal: boolean
}

/** As TypeScript and package.json write it: with one `*` that stands for anything, or none. */
export function patternAlias(pattern: string, targets: readonly string[], isFinal = false): Alias {
  const [before = '', after] = pattern.split('*', 2)
  const matches = (specifier: string) => {
    if (after === undefined) return specifier === pattern ? '' : undefined
    const isMatch =
      specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after)
    return isMatch ? specifier.slice(before.length, specifier.length - after.length) : undefined
  }
  return { matches, targets, isFinal }
}

/** As Vite writes it: a name that stands for a path, and for what is below. */
export function prefixAlias(find: string, replacement: string): Alias {
  const plain = find.endsWith('/') ? find.slice(0, -1) : find
  const matches = (specifier: string) =>
    specifier === find ? '' : specifier.startsWith(`${plain}/`) ? specifier.slice(plain.length) : undefined
  return { matches, targets: [`${replacement.replace(/(?<=.)\/$/, '')}*`], isFinal: true }
}
