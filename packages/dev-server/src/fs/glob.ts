/** Some globs become regular expressions that backtrack, on the thread of everybody's work. Many wildcards could keep it busy for good. */
export function isPlainGlob(glob: string): boolean {
  const wildcards = glob.match(/\*+|\?|\{|\[/g)?.length ?? 0
  return wildcards <= 8 && !/[()|\\]|\.\.|\{[^}]*\{/.test(glob)
}

export function literalSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** Source of an expression for a glob: `**` crosses folders, `*` and `?` stay in one name. */
export function globSource(glob: string): string {
  const body = glob
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : literalSource(part)
    })
    .join('')
  return `(?:^|(?<=/))${body}$`
}
