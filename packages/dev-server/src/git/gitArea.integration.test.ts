import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { GitStatus, ParamsInput } from '@boxyard/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { git, startGitRemote, type GitRemote } from '../testing/gitRemote.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

describe('git', () => {
  let box: TestBox
  let server: DevServer
  let remote: GitRemote
  let workspace: string
  /** Somebody else's clone of the same repository. */
  let elsewhere: string
  let ada: TestClient
  const credentials = (): { origin: string; username: string; password: string } => ({
    origin: remote.origin,
    username: 'ada',
    password: 'hunter2-secret',
  })

  beforeEach(async () => {
    remote = await startGitRemote('ada', 'hunter2-secret')
    box = await createTestBox()
    workspace = box.configuration.workspace
    elsewhere = join(workspace, '..', 'elsewhere')
    await git(join(workspace, '..'), 'clone', '--quiet', remote.folder, elsewhere)
    await commitElsewhere('first', { 'a.txt': 'one\ntwo\nthree\n', 'src/b.txt': 'b\n' })
    await git(elsewhere, 'push', '--quiet', 'origin', 'HEAD:main')
    await rm(workspace, { recursive: true })
    await git(join(workspace, '..'), 'clone', '--quiet', remote.folder, workspace)
    await git(workspace, 'remote', 'set-url', 'origin', remote.url)
    server = await start()
    ada = await join_('ada')
  })
  afterEach(async () => {
    await server.stop()
    await remote.stop()
    await box.remove()
  })

  const start = (): Promise<DevServer> =>
    startDevServer(
      box.configuration,
      createLog((line) => {
        if (line.includes('"error"')) console.error(line)
      }),
    )
  const join_ = async (username: string, access: 'read' | 'write' = 'write'): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token({ username, name: 'Ada L', access }))

  const write = async (folder: string, files: Record<string, string>): Promise<void> => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), content)
    }
  }
  const commitElsewhere = async (message: string, files: Record<string, string>): Promise<void> => {
    await write(elsewhere, files)
    await git(elsewhere, 'add', '--all')
    await git(elsewhere, 'commit', '--quiet', '-m', message)
  }
  const pushElsewhere = async (message: string, files: Record<string, string>): Promise<void> => {
    await commitElsewhere(message, files)
    await git(elsewhere, 'push', '--quiet', 'origin', 'HEAD:main')
  }
  const text = (path: string): Promise<string> => readFile(join(workspace, path), 'utf8')
  const badges = ({ changedFiles, deletedFiles }: GitStatus): Record<string, string> =>
    Object.fromEntries(
      [...Object.values(changedFiles), ...deletedFiles].map((item) => [
        item.path,
        item.isConflicted ? '!' : `${item.index || ' '}${item.workingTree || ' '}`,
      ]),
    )
  const commitAll = async (params: ParamsInput<'git/commit'>): Promise<number> => {
    await ada.call('git/commit', params)
    return (await ada.next('git/commitFinished')).exitCode
  }

  it('GI10: the status tells each kind of change, the branch and both sides', async () => {
    await write(workspace, { 'a.txt': 'changed\n', 'new file.txt': 'x\n', 'staged.txt': 's\n' })
    await git(workspace, 'add', 'staged.txt')
    await git(workspace, 'mv', 'src/b.txt', 'src/c.txt')
    const status = await ada.call('git/status', {})
    expect(badges(status)).toEqual({
      'a.txt': ' M',
      'new file.txt': ' ?',
      'staged.txt': 'A ',
      'src/c.txt': 'R ',
    })
    const { treeNodes } = await ada.call('fs/read', null)
    const id = treeNodes.find(({ name }) => name === 'a.txt')!.id
    expect(status.changedFiles[id]).toMatchObject({ path: 'a.txt', fileId: id, isStaged: false, isConflicted: false })
    const head = await git(workspace, 'rev-parse', 'HEAD')
    const side = { head, branch: 'main', ahead: 0, behind: 0, safe: true }
    expect(status).toMatchObject({ branch: 'main', head, remote: side, target: side, commits: [], isMerging: false })
    expect(status).toMatchObject({ localChanges: true, conflicts: false })
    await rm(join(workspace, 'a.txt'))
    expect((await ada.call('git/status', {})).deletedFiles).toEqual([
      { path: 'a.txt', index: '', workingTree: 'D', isStaged: false, isConflicted: false },
    ])
  })

  it('GI11: whoever asked hears of a new status, from the editor as from a terminal', async () => {
    const bob = await join_('bob', 'read')
    await ada.call('fs/writeFile', { path: 'fresh.txt', content: Buffer.from('x'), create: true })
    const status = await bob.next('git/status', ({ changedFiles }) => Object.keys(changedFiles).length > 0)
    expect(badges(status)).toEqual({ 'fresh.txt': ' ?' })
    await git(workspace, 'add', 'fresh.txt')
    await bob.next('git/status', (now) => badges(now)['fresh.txt'] === 'A ')
    await git(workspace, 'commit', '--quiet', '-m', 'by hand')
    const after = await bob.next('git/status', ({ localChanges }) => !localChanges)
    expect(after.commits.map(({ message, author }) => [message, author])).toEqual([['by hand', 'Grace']])
    expect(after.remote).toMatchObject({ ahead: 1, behind: 0 })
  })

  it('GI12: a commit of some paths leaves the others, runs in a shell with its hooks, and is told to everybody', async () => {
    await write(workspace, { 'a.txt': 'changed\n', 'other.txt': 'x\n', "it's $(new).txt": 'y\n' })
    await rm(join(workspace, 'src/b.txt'))
    await write(workspace, { '.git/hooks/pre-commit': '#!/bin/sh\necho the hook speaks\n' })
    await promisify(execFile)('chmod', ['+x', join(workspace, '.git/hooks/pre-commit')])
    const message = 'It\'s "done" $HOME `id`\n\nWith a body'
    const paths = ['a.txt', "it's $(new).txt", 'src/b.txt']
    const bob = await join_('bob', 'read')
    const { shellId } = await ada.call('git/commit', { message, paths, push: false })
    expect(await bob.next('git/commitStarted')).toEqual({ shellId, message, paths })
    for (const client of [ada, bob]) expect(await client.next('git/commitFinished')).toEqual({ exitCode: 0 })
    expect(badges(await bob.next('git/status', ({ remote: { ahead } }) => ahead === 1))).toEqual({ 'other.txt': ' ?' })
    const { buffer } = await ada.call('shell/open', { shellId })
    expect(buffer.join('')).toContain('the hook speaks')
    expect(await git(workspace, 'log', '-1', '--format=%B%an <%ae> %cn')).toBe(
      `${message}\nAda L <ada@users.noreply.boxyard.localhost> Ada L`,
    )
    expect(await git(workspace, 'show', '--name-only', '--format=', '-z', 'HEAD')).toBe(
      `a.txt\0${"it's $(new).txt"}\0src/b.txt\0`,
    )
    await git(workspace, 'config', 'user.name', 'Configured')
    await git(workspace, 'config', 'user.email', 'own@test')
    expect(await commitAll({ message: 'the rest', push: false })).toBe(0)
    expect(await git(workspace, 'log', '-1', '--format=%an %ae')).toBe('Configured own@test')
    expect(await commitAll({ message: 'nothing left', push: false })).toBe(1)
  })

  it('GI13: a push takes credentials from the call, and leaves them in no file of the box', async () => {
    await git(workspace, 'config', 'credential.helper', 'store')
    await write(workspace, { 'a.txt': 'pushed\n' })
    await ada.call('git/commit', { message: 'with a push', credentials: credentials() })
    expect(await ada.next('git/commitFinished')).toEqual({ exitCode: 0 })
    expect(await git(remote.folder, 'log', '-1', '--format=%s', 'main')).toBe('with a push')
    expect(remote.seen).toContain('ada:hunter2-secret')
    await server.flush()
    const root = join(workspace, '..')
    const found = await promisify(execFile)('grep', ['-rlF', 'hunter2-secret', root]).then(
      ({ stdout }) => stdout,
      ({ code }: { code: number }) => code,
    )
    expect(found).toBe(1)
    await write(workspace, { 'a.txt': 'again\n' })
    await ada.call('git/commit', { message: 'without' })
    expect(await ada.next('git/commitFinished')).toMatchObject({ exitCode: 1, error: { code: 440 } })
    await expect(ada.call('git/push', {})).rejects.toMatchObject({ code: 440 })
    await expect(
      ada.call('git/push', { credentials: { ...credentials(), origin: 'http://somewhere.test' } }),
    ).rejects.toMatchObject({ code: 440 })
    await ada.call('git/push', { credentials: credentials() })
    expect(await git(remote.folder, 'log', '-1', '--format=%s', 'main')).toBe('without')
  })

  it('GI14: a pull brings what others pushed, next to local changes of other files', async () => {
    await pushElsewhere('theirs', { 'src/b.txt': 'theirs\n' })
    await write(workspace, { 'a.txt': 'mine\n' })
    const bob = await join_('bob', 'read')
    await ada.call('git/pull', { credentials: credentials() })
    await bob.next('git/pullStarted')
    expect(await bob.next('git/pullFinished')).toBeNull()
    expect([await text('a.txt'), await text('src/b.txt')]).toEqual(['mine\n', 'theirs\n'])
    await expect(ada.call('git/pull', {})).rejects.toMatchObject({ code: 410 })
    expect(await bob.next('git/pullFinished')).toMatchObject({ exitCode: 1, error: { code: 410 } })
  })

  it('GI15: a pull that conflicts changes nothing; with force the conflicts are listed and a commit ends the merge', async () => {
    await pushElsewhere('theirs', { 'a.txt': 'theirs\ntwo\nthree\n' })
    await write(workspace, { 'a.txt': 'mine\ntwo\nthree\n' })
    await expect(ada.call('git/pull', { credentials: credentials() })).rejects.toMatchObject({ code: 420 })
    expect(await text('a.txt')).toBe('mine\ntwo\nthree\n')
    expect(await commitAll({ message: 'mine', push: false })).toBe(0)
    const before = await ada.call('git/status', {})
    expect(before.remote).toMatchObject({ ahead: 1, behind: 1, safe: false })
    await expect(ada.call('git/pull', { credentials: credentials() })).rejects.toMatchObject({
      code: 420,
      data: { conflicts: ['a.txt'] },
    })
    expect(await ada.call('git/status', {})).toMatchObject({ isMerging: false, localChanges: false })
    await expect(ada.call('git/pull', { force: true, credentials: credentials() })).rejects.toMatchObject({ code: 420 })
    const merging = await ada.call('git/status', {})
    expect(merging).toMatchObject({ isMerging: true, conflicts: true })
    expect(badges(merging)).toEqual({ 'a.txt': '!' })
    expect(await text('a.txt')).toMatch(/^<<<<<<< .*\nmine\n\|\|\|\|\|\|\| .*\none\n=======\ntheirs\n>>>>>>> /)
    await write(workspace, { 'a.txt': 'both\ntwo\nthree\n' })
    expect(await commitAll({ message: 'merged', paths: ['a.txt'], push: false })).toBe(0)
    expect(await ada.call('git/status', {})).toMatchObject({
      isMerging: false,
      conflicts: false,
      remote: { ahead: 2, behind: 0, safe: true },
    })
  })

  it('GI16: while one operation runs every other one is refused, and reading goes on', async () => {
    let release = (): void => undefined
    remote.hold = new Promise((resolve) => (release = resolve))
    const pulling = ada.call('git/pull', { credentials: credentials() })
    await ada.next('git/pullStarted')
    const bob = await join_('bob')
    for (const refused of [
      bob.call('git/pull', {}),
      bob.call('git/commit', { message: 'x' }),
      bob.call('git/push', {}),
      bob.call('git/discard', {}),
      bob.call('git/renameBranch', { oldBranch: 'main', newBranch: 'other' }),
      bob.call('git/resetLocalWithRemote', {}),
      bob.call('git/checkoutInitialBranch', {}),
      bob.call('git/pushToRemote', { url: remote.url, branch: 'x' }),
    ]) {
      await expect(refused).rejects.toMatchObject({
        code: 400,
        message: 'Another git operation is in progress, try again later.',
      })
    }
    expect((await bob.call('git/status', {})).branch).toBe('main')
    release()
    await pulling
    await bob.call('git/renameBranch', { oldBranch: 'main', newBranch: 'other' })
  })

  it('GI17: discarding takes back what was chosen, new files and renames included, and leaves the rest', async () => {
    await write(workspace, { 'a.txt': 'changed\n', 'deep/er/new.txt': 'x', 'glob*.txt': 'x', 'globby.txt': 'x' })
    await git(workspace, 'mv', 'src/b.txt', 'src/c.txt')
    await git(workspace, 'add', 'globby.txt', 'a.txt')
    expect(await ada.call('git/discard', { paths: ['deep', 'glob*.txt', 'src/c.txt'] })).toEqual({
      paths: ['deep', 'glob*.txt', 'src/c.txt'],
    })
    expect((await readdir(workspace)).toSorted()).toEqual(['.git', 'a.txt', 'globby.txt', 'src'])
    expect([await readdir(join(workspace, 'src')), await text('a.txt')]).toEqual([['b.txt'], 'changed\n'])
    expect(badges(await ada.call('git/status', {}))).toEqual({ 'a.txt': 'M ', 'globby.txt': 'A ' })
    await git(workspace, 'init', '--quiet', 'inner')
    await write(workspace, { 'inner/kept.txt': 'x' })
    expect(await ada.call('git/discard', {})).toEqual({})
    expect([await text('a.txt'), await text('inner/kept.txt')]).toEqual(['one\ntwo\nthree\n', 'x'])
    expect((await readdir(workspace)).toSorted()).toEqual(['.git', 'a.txt', 'inner', 'src'])
  })

  it('GI18: content at a revision comes from the remote branch or the commit, and is missing with the right code', async () => {
    await pushElsewhere('newer', { 'a.txt': 'newer\n' })
    const [first] = (await git(workspace, 'rev-parse', 'HEAD')).split('\n')
    await ada.call('git/pull', { credentials: credentials() })
    const content = async (reference: string, path: string): Promise<string> =>
      (await ada.call('git/remoteContent', { reference, path })).content
    expect(await content('main', 'a.txt')).toBe('newer\n')
    expect(await content(first!, 'a.txt')).toBe('one\ntwo\nthree\n')
    await expect(content('main', 'none.txt')).rejects.toMatchObject({ code: 404 })
    await expect(content('main', 'src')).rejects.toMatchObject({ code: 404 })
    await expect(content('nowhere', 'a.txt')).rejects.toMatchObject({ code: 404 })
    await expect(content('main', '../../../etc/passwd')).rejects.toMatchObject({ code: 404 })
  })

  it('GI19: differences of two revisions, of the target, and lines followed to where they are now', async () => {
    const base = await git(workspace, 'rev-parse', 'HEAD')
    await write(workspace, { 'a.txt': 'zero\none\nTWO\nthree\n', 'added.txt': 'x\n' })
    expect(await commitAll({ message: 'mine', push: false })).toBe(0)
    expect(await ada.call('git/diffStatus', { base: 'origin/main', head: 'HEAD' })).toEqual({
      files: [
        {
          status: 'M',
          path: 'a.txt',
          hunks: [
            { original: { start: 1, end: 1 }, modified: { start: 1, end: 2 } },
            { original: { start: 2, end: 3 }, modified: { start: 3, end: 4 } },
          ],
        },
        { status: 'A', path: 'added.txt', hunks: [{ original: { start: 1, end: 1 }, modified: { start: 1, end: 2 } }] },
      ],
    })
    await expect(ada.call('git/diffStatus', { base: 'nowhere', head: 'HEAD' })).rejects.toMatchObject({ code: 404 })
    expect(await ada.call('git/targetDiff', { branch: 'main' })).toMatchObject({
      ahead: 1,
      behind: 0,
      commits: [{ message: 'mine', author: 'Ada L' }],
    })
    await pushElsewhere('theirs', { 'src/b.txt': 'theirs\n' })
    expect(await ada.call('git/targetDiff', { branch: 'main', credentials: credentials() })).toMatchObject({
      behind: 1,
    })
    const lines = [1, 2, 3].map((line) => ({ sha: base, path: 'a.txt', line }))
    const unknown = { sha: 'f'.repeat(40), path: 'a.txt', line: 1 }
    expect(await ada.call('git/transposeLines', [...lines, unknown])).toEqual([
      { path: 'a.txt', line: 2 },
      null,
      { path: 'a.txt', line: 4 },
      null,
    ])
  })

  it('GI600: the commits that changed a file are told, newest first, without where a shallow clone begins', async () => {
    await write(workspace, { 'a.txt': 'zero\none\ntwo\nthree\n' })
    await commitAll({ message: 'second\n\nbecause', push: false })
    await write(workspace, { 'src/b.txt': 'other\n' })
    await commitAll({ message: 'elsewhere', push: false })
    const asked = await ada.call('git/log', { path: 'a.txt' })
    expect(asked.commits.map(({ message }) => message)).toEqual(['second\n\nbecause', 'first'])
    expect(asked.hasMore).toBe(false)
    expect((await ada.call('git/log', { path: 'a.txt', skip: 1 })).commits.map(({ message }) => message)).toEqual([
      'first',
    ])
    expect(await ada.call('git/log', { path: 'a*' })).toEqual({ commits: [], hasMore: false })
    await write(workspace, { '.git/shallow': `${asked.commits[1]!.hash}\n` })
    expect((await ada.call('git/log', { path: 'a.txt' })).commits).toHaveLength(1)
  })

  it('GI650: what a shallow clone left out is fetched once, while commits go on', async () => {
    for (const message of ['second', 'third']) await pushElsewhere(message, { [`${message}.txt`]: message })
    await ada.call('git/pull', { credentials: credentials() })
    const count = async () => Number(await git(workspace, 'rev-list', '--count', 'HEAD'))
    const whole = await count()
    expect(whole).toBe(3)
    await write(workspace, { '.git/shallow': `${await git(workspace, 'rev-parse', 'HEAD')}\n` })
    expect(await count()).toBe(1)
    expect(await ada.call('git/status', {})).toMatchObject({ isShallow: true })
    await write(workspace, { 'four.txt': 'four' })
    const [first, second] = await Promise.all([
      ada.call('git/deepen', { credentials: credentials() }),
      ada.call('git/deepen', { credentials: credentials() }),
      commitAll({ message: 'four', push: false }),
    ])
    expect([first, second]).toEqual([{ deepened: true }, { deepened: true }])
    expect(await count()).toBe(whole + 1)
    expect(await ada.call('git/deepen', {})).toEqual({ deepened: false })
    expect(await ada.call('git/status', {})).not.toHaveProperty('isShallow')
    const bob = await join_('bob', 'read')
    await expect(bob.call('git/deepen', {})).rejects.toThrow()
  })

  it('GI20: a branch is renamed once, its settings with it, and a taken name is refused', async () => {
    await git(workspace, 'config', 'boxyard.branch', 'main')
    await git(workspace, 'branch', 'taken')
    await expect(ada.call('git/renameBranch', { oldBranch: 'main', newBranch: 'taken' })).rejects.toMatchObject({
      message: expect.stringContaining('has already been taken'),
    })
    await expect(ada.call('git/renameBranch', { oldBranch: 'none', newBranch: 'x' })).rejects.toMatchObject({
      code: -32_602,
    })
    const bob = await join_('bob', 'read')
    await ada.call('git/renameBranch', { oldBranch: 'main', newBranch: 'better' })
    expect(await bob.next('git/renameBranch')).toEqual({ oldBranch: 'main', newBranch: 'better' })
    expect((await ada.call('git/status', {})).branch).toBe('better')
    expect(await git(workspace, 'config', 'branch.better.merge')).toBe('refs/heads/better')
    expect(await git(workspace, 'config', 'boxyard.branch')).toBe('better')
  })

  it('GI21: leaving the branch that the box is for is told, and there is a way back', async () => {
    await expect(ada.call('git/checkoutInitialBranch', {})).rejects.toMatchObject({ code: 450 })
    await git(workspace, 'config', 'boxyard.branch', 'main')
    await write(workspace, { 'touched.txt': 'x' })
    await ada.next('git/status', ({ localChanges }) => localChanges)
    await git(workspace, 'checkout', '--quiet', '-b', 'sideways')
    expect(await ada.next('git/checkoutPrevented')).toEqual({ branch: 'sideways' })
    await ada.call('git/checkoutInitialBranch', {})
    expect(await git(workspace, 'symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect(await text('touched.txt')).toBe('x')
  })

  it('GI22: resetting to the remote gives up commits but keeps files that git does not know', async () => {
    await write(workspace, { 'a.txt': 'mine\n' })
    expect(await commitAll({ message: 'given up', push: false })).toBe(0)
    await write(workspace, { 'unknown.txt': 'x' })
    await expect(ada.call('git/resetLocalWithRemote', {})).rejects.toMatchObject({ code: 430 })
    expect(await text('a.txt')).toBe('mine\n')
    await ada.call('git/resetLocalWithRemote', { credentials: credentials() })
    expect([await text('a.txt'), await text('unknown.txt')]).toEqual(['one\ntwo\nthree\n', 'x'])
  })

  it('GI23: a project without a repository becomes one by its first push, as one commit', async () => {
    await rm(join(workspace, '.git'), { recursive: true })
    expect(await ada.call('git/status', {})).toMatchObject({ branch: null, changedFiles: {}, localChanges: false })
    expect(await ada.call('git/remotes', {})).toEqual({ origin: '', upstream: '' })
    await expect(ada.call('git/commit', { message: 'x' })).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining('not a git repository'),
    })
    await write(workspace, { '.gitignore': 'ignored\n', ignored: 'x' })
    await ada.call('git/pushToRemote', {
      url: remote.url.replace('//', '//ada:leaked@'),
      branch: 'fresh',
      squashAllCommits: true,
      credentials: credentials(),
    })
    expect(await git(remote.folder, 'log', '--format=%s %an', 'fresh')).toBe('Initial commit Ada L')
    expect(await git(remote.folder, 'ls-tree', '-r', '--name-only', 'fresh')).toBe('.gitignore\na.txt\nsrc/b.txt')
    expect(await ada.call('git/status', {})).toMatchObject({
      branch: 'fresh',
      localChanges: false,
      remote: { branch: 'fresh', ahead: 0, behind: 0 },
    })
    expect(await ada.call('git/remotes', {})).toEqual({ origin: remote.url, upstream: '' })
    expect(await readFile(join(workspace, '.git/config'), 'utf8')).not.toContain('leaked')
  })

  it('GI24: nobody who may only look changes anything', async () => {
    const bob = await join_('bob', 'read')
    const refused: Promise<unknown>[] = [
      bob.call('git/pull', {}),
      bob.call('git/commit', { message: 'x' }),
      bob.call('git/push', {}),
      bob.call('git/pushToRemote', { url: remote.url, branch: 'x' }),
      bob.call('git/discard', {}),
      bob.call('git/renameBranch', { oldBranch: 'main', newBranch: 'x' }),
      bob.call('git/resetLocalWithRemote', {}),
      bob.call('git/checkoutInitialBranch', {}),
    ]
    for (const one of refused) await expect(one).rejects.toMatchObject({ code: 2 })
    expect((await bob.call('git/status', {})).branch).toBe('main')
  })
})
