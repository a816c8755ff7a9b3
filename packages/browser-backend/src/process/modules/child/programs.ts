import { commandNames } from '../../../shell/commandNames.ts'
import { quoted } from '../../../shell/quoted.ts'
import type { SpawnRequest } from '../../../common/processMessages.ts'

/** What a process knows of the programs that it may start. */
export interface Programs {
  isFolder(path: string): boolean
  /** Whether there is a file of that name, from that folder. */
  isFile(path: string, cwd: string): boolean
  /** Whether a package of the project brings a program of that name. */
  isOfPackage(name: string): boolean
}

const isNode = (file: string): boolean => /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?node$/.test(file)
const isShell = (file: string): boolean => /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|zsh)$/.test(file)
const KNOWN: ReadonlySet<string> = new Set(commandNames)

/** Who runs a program of this name: Node, or the shell, which has others; undefined when there is none. */
export function programOf(
  file: string,
  args: readonly string[],
  cwd: string,
  programs: Programs,
): Pick<SpawnRequest, 'program' | 'argv'> | undefined {
  if (isNode(file)) return { program: 'node', argv: [...args] }
  if (isShell(file)) return { program: 'shell', argv: [...args] }
  const command = file.replace(/^\/(?:usr\/)?bin\//, '')
  const isThere = command.includes('/')
    ? programs.isFile(file, cwd)
    : KNOWN.has(command) || (command === file && programs.isOfPackage(file))
  return isThere ? { program: 'shell', argv: ['-c', [command, ...args].map(quoted).join(' ')] } : undefined
}
