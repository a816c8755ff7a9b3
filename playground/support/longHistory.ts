import type { GitClient } from '@boxyard/git-host/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The file that the first commit alone touched. */
export const OLDEST = 'begin.txt'

/** Gives an empty clone a branch `main` with as many commits as old projects have, and checks it out. */
export async function writeLongHistory(client: GitClient, count: number): Promise<void> {
  const commits = Array.from({ length: count }, (_, index) => {
    const message = `Change ${index + 1}`
    const file = `export const change = ${index + 1}\n`
    return [
      'commit refs/heads/main',
      `committer Ada <ada@example.org> ${1_600_000_000 + index * 60} +0000`,
      `data ${message.length}`,
      message,
      `M 100644 inline src/change${index % 50}.ts`,
      `data ${file.length}`,
      file,
      ...(index === 0 ? [`M 100644 inline ${OLDEST}`, 'data 6', 'begin\n'] : []),
    ].join('\n')
  })
  const importing = spawn('git', ['fast-import', '--quiet'], {
    cwd: client.folder,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  importing.stdin.end(commits.join('\n'))
  const [code] = (await once(importing, 'close')) as [number | null]
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  await client.git('reset', '--quiet', '--hard', 'main')
}
