import type { GitArea } from '@boxyard/dev-server-client'
import { ProtocolError, type GitStatus } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import type { BranchHost } from './branchHost.ts'
import { SourceControl, type SourceControlOptions } from './sourceControl.ts'

const credentials = { origin: 'http://127.0.0.1:16380', username: 'ada', password: 'ticket' }
const side = { head: 'abc', branch: 'fix', ahead: 0, behind: 0, safe: true }
const item = { index: '', workingTree: 'M', isStaged: false, isConflicted: false } as const

function scene(changes: Partial<GitStatus> = {}) {
  const done: unknown[] = []
  /** What the next calls fail with, in their order. */
  const failures: Record<string, Error[]> = {}
  const note = (name: string) => async (given?: unknown, more?: unknown) => {
    done.push(more === undefined ? [name, given] : [name, given, more])
    const failure = failures[name]?.shift()
    if (failure) throw failure
  }
  const status: GitStatus = {
    changedFiles: { one: { ...item, path: 'one.ts' } },
    deletedFiles: [],
    conflicts: false,
    localChanges: true,
    remote: side,
    target: side,
    commits: [],
    branch: 'fix',
    isMerging: false,
    ...changes,
  }
  const git = {
    status,
    commit: note('commit'),
    push: note('push'),
    pull: note('pull'),
    discard: note('discard'),
    resetToRemote: note('reset'),
    renameBranch: note('rename in the box'),
    pushToRemote: note('fill'),
  } as unknown as GitArea
  const host = {
    credentials: async () => credentials,
    renameBranch: async (name: string) => (await note('rename')(name), true),
  } as unknown as BranchHost
  const input = { value: ' Fix it ', setValue: (value: string) => (input.value = value), said: '' }
  const files: Record<string, string> = {}
  const answers = { confirmed: true }
  const options: SourceControlOptions = {
    git,
    fs: { readFile: async (path) => new TextEncoder().encode(files[path]) },
    host,
    dialogs: { confirm: async () => answers },
    repository: () =>
      ({
        input: {
          ...input,
          setValue: input.setValue,
          showValidationMessage: (text: string) => (input.said = text),
          setFocus: () => undefined,
        },
      }) as never,
    saveAll: note('save'),
    suggestCommit: async (files) => (await note('suggest')(files), 'What changed in one'),
    openFile: note('open'),
  }
  return { done, failures, input, files, answers, control: new SourceControl(options) }
}

it('WB425: a commit saves what is typed, takes everything, pushes with credentials for this call, and clears the message', async () => {
  const { control, done, input } = scene()
  await control.commit(true)
  expect(done).toEqual([
    ['save', undefined],
    ['commit', { message: 'Fix it', push: true, credentials }],
  ])
  expect(input.value).toBe('')
  const alone = scene()
  await alone.control.commit(false)
  expect(alone.done.at(-1)).toEqual(['commit', { message: 'Fix it', push: false }])
})

it('WB425: without a message nothing is committed, and a failed commit keeps the message', async () => {
  const { control, done, input, failures } = scene()
  failures['commit'] = [new Error('refused')]
  await expect(control.commit(false)).rejects.toThrow('refused')
  expect(input.value).toBe(' Fix it ')
  input.value = '  '
  done.length = 0
  await control.commit(false)
  expect([done, input.said]).toEqual([[], 'Say in a few words what changed, then commit.'])
})

it('WB426: a file with unresolved conflicts is not committed', async () => {
  const conflicted = { ...item, index: 'U', workingTree: 'U', isConflicted: true, path: 'one.ts' } as const
  const { control, files, done } = scene({ changedFiles: { one: conflicted }, conflicts: true })
  files['one.ts'] = 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> origin/main\n'
  await expect(control.commit(false)).rejects.toThrow('one.ts has conflicts that are not resolved')
  files['one.ts'] = 'a\nb\n'
  await control.commit(false)
  expect(done.at(-1)).toEqual(['commit', { message: 'Fix it', push: false }])
})

it('WB427: a pull that conflicts asks first, and then opens the first file with a conflict', async () => {
  const { control, done, failures, answers } = scene()
  const conflict = new ProtocolError('GIT_PULL_CONFLICT', 'conflicts in one.ts', { conflicts: ['one.ts'] })
  failures['pull'] = [conflict]
  answers.confirmed = false
  await control.pull()
  expect(done).toEqual([
    ['save', undefined],
    ['pull', { credentials }],
  ])
  done.length = 0
  answers.confirmed = true
  failures['pull'] = [conflict, conflict]
  await control.pull('main')
  expect(done.slice(1)).toEqual([
    ['pull', { branch: 'main', credentials }],
    ['pull', { branch: 'main', credentials, force: true }],
    ['open', 'one.ts'],
  ])
})

it('WB428: discarding and resetting ask before anything is lost', async () => {
  const { control, done, answers } = scene()
  answers.confirmed = false
  await control.discard(['one.ts'])
  await control.resetToRemote()
  expect(done).toEqual([])
  answers.confirmed = true
  await control.discard(['one.ts'])
  await control.discard()
  await control.resetToRemote()
  expect(done).toEqual([
    ['discard', ['one.ts']],
    ['discard', undefined],
    ['reset', credentials],
  ])
})

it('WB429: a rename that fails in the box is taken back at the git host', async () => {
  const { control, done, failures } = scene()
  await control.rename('better')
  expect(done).toEqual([
    ['rename', 'better'],
    ['rename in the box', 'fix', 'better'],
  ])
  done.length = 0
  failures['rename in the box'] = [new Error('taken')]
  await expect(control.rename('better')).rejects.toThrow('taken')
  expect(done.at(-1)).toEqual(['rename', 'fix'])
})

it('WB943: a suggested message is about every change as it is on the screen, and stands where the person writes theirs', async () => {
  const { control, done, input } = scene()
  await control.suggestMessage()
  expect(done).toEqual([
    ['save', undefined],
    ['suggest', ['one.ts']],
  ])
  expect(input.value).toBe('What changed in one')
})

it('WB943: without a change nothing is asked for', async () => {
  const { control, done, input } = scene({ changedFiles: {}, localChanges: false })
  await expect(control.suggestMessage()).rejects.toThrow('Need to provide at least 1 file')
  expect(done).toEqual([['save', undefined]])
  expect(input.value).toBe(' Fix it ')
})

it('WB431: a new repository gets everything as it is on the screen, as one commit', async () => {
  const { control, done } = scene()
  const made = { url: 'http://127.0.0.1:16380/git/ada/new.git', branch: 'main', credentials }
  await control.fillRepository(made)
  expect(done).toEqual([
    ['save', undefined],
    ['fill', { ...made, squashAllCommits: true }],
  ])
})
