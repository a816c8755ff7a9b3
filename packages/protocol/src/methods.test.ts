import { describe, expect, it } from 'vitest'
import { methods, notifications } from './methods.ts'

const published = {
  client: 'join list',
  fs: `read operation search streamingSearch cancelStreamingSearch pathSearch upload download readFile readdir writeFile stat copy
    rename remove mkdir watch unwatch`,
  file: 'open openByPath close save documentOperation documentAck documentSelection',
  git: `status remotes targetDiff pull discard commit push pushToRemote renameBranch remoteContent diffStatus resetLocalWithRemote
    checkoutInitialBranch transposeLines`,
  language: 'list lspRequest lspServerResponse',
  shell: 'create list open close in resize restart terminate rename',
  task: 'list run runCommand stop create update saveToConfig generateConfig createSetupTasks',
  setup: 'get skip skipAll setStep disable enable init',
  port: 'list',
  command: 'list execute',
  container: 'setup',
  system: 'update hibernate metrics',
  ai: 'suggestCommit raw stream chats chatHistory chatMessage messageState embeddings',
  channel: 'subscribe unsubscribe message',
  notification: 'notifyResponse',
  box: 'installDependencies installedDependencies',
}

const told = {
  client: 'connected updated disconnected permissions',
  fs: 'operations watchEvent searchMatches searchFinished',
  file: 'join leave save documentOperation documentSelection',
  shell: 'create out exit restart terminate rename',
  task: 'listUpdate update configParseError unassignedPortOpened unassignedPortClosed',
  setup: 'progress',
  port: 'changed',
  git: 'status remotes pullStarted pullFinished commitStarted commitFinished checkoutPrevented renameBranch',
  language: 'lspNotification lspServerRequest',
  channel: 'subscribed unsubscribed message',
  command: 'changed',
  container: 'openSetupDevtool',
  notification: 'notify dismiss',
  system: 'hibernate metrics initStatus',
  ai: 'chatCreated chatMessage messageProgress',
}

const namesOf = (areas: Record<string, string>): string[] =>
  Object.entries(areas).flatMap(([area, names]) => names.split(/\s+/).map((name) => `${area}/${name}`))

/** What the published protocol has no word for. */
const added = ['git/log', 'git/deepen']

describe('messages', () => {
  it('P12: every published method and notification has its schema, and git/log and git/deepen are the only others', () => {
    expect(Object.keys(methods).toSorted()).toEqual([...namesOf(published), ...added].toSorted())
    expect(Object.keys(notifications).toSorted()).toEqual(namesOf(told).toSorted())
    expect(namesOf(published)).toHaveLength(90)
    expect(Object.keys(notifications)).toHaveLength(49)
  })

  it('P13: a branch or revision never reads as an option of git, and a branch has a name that git takes', () => {
    const renames = (newBranch: string): boolean =>
      methods['git/renameBranch'].params.safeParse({ oldBranch: 'main', newBranch }).success
    for (const name of ['main', 'feature/a-b', 'x@y', 'ünïcode', 'csb-abc/1.2'])
      expect([name, renames(name)]).toEqual([name, true])
    for (const name of [
      '',
      '-f',
      '--all',
      'a b',
      'a..b',
      'a~1',
      'a^',
      'a:b',
      '/a',
      'a/',
      'a//b',
      'a/.b',
      'a.lock',
      'a.',
      'HEAD',
      '@',
      'a@{1}',
      'a\0b',
      'a\nb',
    ]) {
      expect([name, renames(name)]).toEqual([name, false])
    }
    const shows = (reference: string): boolean =>
      methods['git/remoteContent'].params.safeParse({ reference, path: 'a' }).success
    expect(shows('HEAD~3^2')).toBe(true)
    expect(shows('--output=/tmp/x')).toBe(false)
  })

  it('P14: credentials name whom they are for, and can not smuggle a line into the protocol of git', () => {
    const takes = (credentials: unknown): boolean => methods['git/push'].params.safeParse({ credentials }).success
    const good = { origin: 'https://git.test:8443', username: 'ada', password: 'secret' }
    expect(takes(good)).toBe(true)
    expect(takes({ ...good, origin: 'https://git.test/path' })).toBe(false)
    expect(takes({ ...good, origin: 'https://eve@git.test' })).toBe(false)
    expect(takes({ ...good, origin: 'file:///etc' })).toBe(false)
    expect(takes({ ...good, password: 'secret\nhost=evil.test' })).toBe(false)
    expect(takes({ username: 'ada', password: 'secret' })).toBe(false)
  })
})
