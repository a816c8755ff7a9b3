import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOnPath } from '../findOnPath.ts'

/** What a terminal and a command are run by. */
export interface ShellPrograms {
  /** zsh where it is installed, else bash. */
  interactive: string
  bash: string
}

/** Finds the shells on PATH. Throws when there is no bash: public clients send bash syntax. */
export function findShellPrograms(path: string): ShellPrograms {
  const bash = findOnPath('bash', path)
  if (!bash) throw new Error('bash is not installed in this machine')
  return { interactive: findOnPath('zsh', path) ?? bash, bash }
}

const ZSHRC = `# Settings of the terminal. This file is yours to change.
autoload -Uz compinit && compinit -i
HISTFILE=~/.zsh_history
HISTSIZE=10000
SAVEHIST=10000
setopt append_history share_history hist_ignore_dups interactive_comments prompt_subst
bindkey -e
PROMPT='%F{cyan}%1~%f %# '
`

/** Gives zsh a first .zshrc: without one it greets a person with a questionnaire instead of a prompt. */
export async function ensureZshSettings(home: string): Promise<void> {
  await mkdir(home, { recursive: true })
  try {
    await writeFile(join(home, '.zshrc'), ZSHRC, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
