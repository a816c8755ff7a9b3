import { describe, expect, it } from 'vitest'
import { gitEnvironment } from './gitEnvironment.ts'
import { parseDiff } from './parseDiff.ts'
import { parseLog } from './parseLog.ts'
import { parseStatus } from './parseStatus.ts'
import { RemoteContentCache } from './RemoteContentCache.ts'
import { withoutPasswords } from './runGit.ts'
import { transposeLine } from './transposeLine.ts'

const hash = 'a'.repeat(40)

describe('what git prints', () => {
  it('GI1: a status is read with names of any kind, and an unknown letter is an error', () => {
    const records = [
      `# branch.oid ${hash}`,
      '# branch.head feature/x',
      '# branch.upstream origin/feature/x',
      '# branch.ab +1 -2',
      `1 .M N... 100644 100644 100644 ${hash} ${hash} with a blank.txt`,
      `1 A. N... 000000 100644 100644 ${hash} ${hash} added "quoted"\n.txt`,
      `1 .T N... 100644 100644 120000 ${hash} ${hash} link`,
      `2 R. N... 100644 100644 100644 ${hash} ${hash} R100 new name`,
      'old name',
      `u UU N... 100644 100644 100644 100644 ${hash} ${hash} ${hash} both.txt`,
      '? ? odd',
      '! ignored',
    ]
    expect(parseStatus(`${records.join('\0')}\0`)).toEqual({
      head: hash,
      branch: 'feature/x',
      upstream: 'origin/feature/x',
      entries: [
        { path: 'with a blank.txt', index: '', workingTree: 'M', isConflicted: false },
        { path: 'added "quoted"\n.txt', index: 'A', workingTree: '', isConflicted: false },
        { path: 'link', index: '', workingTree: 'M', isConflicted: false },
        { path: 'new name', oldPath: 'old name', index: 'R', workingTree: '', isConflicted: false },
        { path: 'both.txt', index: 'U', workingTree: 'U', isConflicted: true },
        { path: '? odd', index: '', workingTree: '?', isConflicted: false },
      ],
    })
    expect(parseStatus('# branch.oid (initial)\0# branch.head (detached)\0')).toMatchObject({
      head: undefined,
      branch: null,
    })
    expect(() => parseStatus(`1 Z. N... 100644 100644 100644 ${hash} ${hash} a\0`)).toThrow('unknown status')
  })

  it('GI2: a diff is read as files with ranges of lines, whatever their content looks like', () => {
    const raw = [
      ':100644 100644 aaa bbb M\0src/a.ts\0',
      ':100644 120000 aaa bbb T\0kind\0',
      ':100644 100644 aaa bbb R090\0old name\0new name\0',
      ':000000 100644 000 bbb A\0added\0',
      '\0',
    ].join('')
    const patch = [
      'diff --git a/src/a.ts b/src/a.ts',
      '@@ -3,2 +3 @@ context',
      '-diff --git a/evil b/evil',
      '-@@ -1 +1 @@',
      '+x',
      '@@ -10,0 +10,3 @@',
      '+1',
      '+2',
      '+3',
      'diff --git a/kind b/kind',
      '@@ -1 +0,0 @@',
      'diff --git a/kind b/kind',
      '@@ -0,0 +1 @@',
      'diff --git a/old name b/new name',
      'diff --git a/added b/added',
      '@@ -0,0 +1,2 @@',
    ].join('\n')
    expect(parseDiff(raw + patch)).toEqual([
      {
        status: 'M',
        path: 'src/a.ts',
        hunks: [
          { original: { start: 3, end: 5 }, modified: { start: 3, end: 4 } },
          { original: { start: 11, end: 11 }, modified: { start: 10, end: 13 } },
        ],
      },
      {
        status: 'M',
        path: 'kind',
        hunks: [
          { original: { start: 1, end: 2 }, modified: { start: 1, end: 1 } },
          { original: { start: 1, end: 1 }, modified: { start: 1, end: 2 } },
        ],
      },
      { status: 'R', oldPath: 'old name', path: 'new name', hunks: [] },
      { status: 'A', path: 'added', hunks: [{ original: { start: 1, end: 1 }, modified: { start: 1, end: 3 } }] },
    ])
  })

  it('GI3: a line is followed through changes above it and a new name, and given up when it was changed itself', () => {
    const files = parseDiff(
      ':1 1 a b R100\0old\0new\0:1 0 a b D\0gone\0\0diff --git a/old b/new\n@@ -3,2 +3 @@\n@@ -10,0 +10,3 @@\ndiff --git a/gone b/gone\n@@ -1 +0,0 @@\n',
    )
    const now = [1, 2, 3, 4, 5, 10, 11].map((line) => transposeLine(files, 'old', line)?.line ?? null)
    expect(now).toEqual([1, 2, null, null, 4, 9, 13])
    expect(transposeLine(files, 'old', 1)).toEqual({ path: 'new', line: 1 })
    expect(transposeLine(files, 'gone', 1)).toBeNull()
    expect(transposeLine(files, 'other', 7)).toEqual({ path: 'other', line: 7 })
  })

  it('GI4: a log is read with messages of several lines', () => {
    expect(parseLog(`${hash}\u001F2026-01-02T03:04:05+00:00\u001FAda\u001FTitle\n\nBody\n\0`)).toEqual([
      { hash, date: '2026-01-02T03:04:05+00:00', author: 'Ada', message: 'Title\n\nBody' },
    ])
    expect(parseLog('')).toEqual([])
  })

  it('GI5: passwords in addresses are never repeated', () => {
    expect(withoutPasswords("fatal: 'https://ada:secret@git.test/a.git' and ssh://git@git.test")).toBe(
      "fatal: 'https://git.test/a.git' and ssh://git.test",
    )
  })

  it('GI6: credentials are in no variable, other helpers are off, and this one answers its origin alone', () => {
    const inherited = { PATH: '/bin', GIT_DIR: '/elsewhere', GIT_TRACE_CURL: '1' }
    const credentials = { origin: 'https://git.test', username: 'ada', password: 'secret' }
    const environment = gitEnvironment(inherited, credentials)
    expect(JSON.stringify(environment)).not.toContain('secret')
    expect(environment).not.toHaveProperty('GIT_DIR')
    expect(environment).not.toHaveProperty('GIT_TRACE_CURL')
    const settings = Object.entries(environment).filter(([name]) => name.startsWith('GIT_CONFIG_KEY_'))
    const values = settings.map(([name, key]) => [key, environment[name.replace('KEY', 'VALUE')]])
    expect(values.slice(-2)).toEqual([
      ['credential.helper', ''],
      ['credential.https://git.test.helper', expect.stringContaining('<&3')],
    ])
    expect(gitEnvironment(inherited)).toMatchObject({ GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '' })
    expect(JSON.stringify(gitEnvironment(inherited))).not.toContain('credential')
  })

  it('GI7: the content of the 20 last used files is kept, and no failure', async () => {
    const cache = new RemoteContentCache()
    const read: string[] = []
    const get = (path: string): Promise<string> =>
      cache.get(hash, path, () => {
        read.push(path)
        return Promise.resolve(path.toUpperCase())
      })
    for (let index = 0; index < 20; index += 1) await get(`f${index}`)
    expect(await get('f0')).toBe('F0')
    expect(read).toHaveLength(20)
    await get('one more')
    await get('f0')
    expect(read).toHaveLength(21)
    await get('f1')
    expect(read.at(-1)).toBe('f1')
    await expect(cache.get(hash, 'bad', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    expect(await cache.get(hash, 'bad', () => Promise.resolve('back'))).toBe('back')
  })
})
