/** What changes the shell itself, and is no program elsewhere either. */
const OF_THE_SHELL = ['.', ':', 'cd', 'exit', 'export', 'help', 'unset'] as const

/** What programs may start by its name. */
export const commandNames = [
  '[',
  'basename',
  'cat',
  'clear',
  'cp',
  'dirname',
  'echo',
  'env',
  'false',
  'find',
  'grep',
  'head',
  'kill',
  'ls',
  'mkdir',
  'mv',
  'npm',
  'npx',
  'pnpm',
  'printf',
  'ps',
  'pwd',
  'rm',
  'rmdir',
  'sleep',
  'sort',
  'tail',
  'test',
  'touch',
  'true',
  'uniq',
  'wc',
  'which',
  'whoami',
  'yarn',
] as const

export type CommandName = (typeof commandNames)[number] | (typeof OF_THE_SHELL)[number]
