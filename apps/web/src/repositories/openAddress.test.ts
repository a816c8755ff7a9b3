import { expect, it } from 'vitest'
import { RequestError } from '../api/RequestError.ts'
import type { RestClient } from '../api/RestClient.ts'
import { branchErrorCode } from './branchErrorCode.ts'
import { branchPath } from './branchPath.ts'
import { openAddress, workspaceOfAddress } from './openAddress.ts'

const address = { owner: 'ada', repo: 'todo', branch: 'fix/one' }
const plain = { workspaceId: null, isImport: false, isNew: false, stays: false, isSignedIn: true }
const opened = { id: 'box', branch: 'fix/one', owner: 'ada', repo: 'todo', workspaceId: null, imported: false }

function restWith(present: boolean) {
  const calls: unknown[] = []
  const rest = {
    get: async (path: string, { query }: { query: object }) => {
      calls.push(['GET', path, query])
      if (!present) throw new RequestError({ status: 404, message: 'Repository or branch not found' })
      return opened
    },
    post: async (path: string, { body }: { body: object }) => {
      calls.push(['POST', path, body])
      return opened
    },
  } as unknown as RestClient
  return { rest, calls }
}

it('opens what is there without making anything', async () => {
  const { rest, calls } = restWith(true)
  expect(await openAddress({ rest }, address, plain)).toBe(opened)
  expect(calls).toEqual([['GET', '/api/beta/github/ada/todo/fix%2Fone', {}]])
})

it('makes the box of a branch that nobody opened so far, for who is signed in', async () => {
  const { rest, calls } = restWith(false)
  await openAddress({ rest }, { ...address, branch: '' }, { ...plain, workspaceId: 'w' })
  expect(calls).toEqual([
    ['GET', '/api/beta/github/ada/todo', { workspace_id: 'w' }],
    ['POST', '/api/beta/open/github/ada/todo', { workspaceId: 'w', import: false, create: false }],
  ])
  await expect(openAddress({ rest }, address, { ...plain, isSignedIn: false })).rejects.toThrow('not found')
  expect(calls).toHaveLength(3)
})

it('asks for a branch and an import at once', async () => {
  const { rest, calls } = restWith(true)
  await openAddress({ rest }, address, { ...plain, isNew: true, isImport: true })
  expect(calls).toEqual([['POST', '/api/beta/open/github/ada/todo', { branch: 'fix/one', import: true, create: true }]])
})

it('stays where the address is when that is asked for', async () => {
  const { rest, calls } = restWith(false)
  await openAddress({ rest }, address, { ...plain, stays: true })
  expect(calls).toEqual([
    ['GET', '/api/beta/github/ada/todo/fix%2Fone', { prevent_workspace_redirect: 'true' }],
    [
      'POST',
      '/api/beta/open/github/ada/todo',
      { branch: 'fix/one', import: false, create: false, preventWorkspaceRedirect: true },
    ],
  ])
})

it('says which error of the page a refusal is', () => {
  const refused = (status: number, code?: string) => new RequestError({ status, message: 'said', code })
  expect(branchErrorCode(refused(404), false)).toBe('REPOSITORY_NOT_FOUND')
  expect(branchErrorCode(refused(403), false)).toBe('RESTRICTED_REPOSITORY')
  expect(branchErrorCode(refused(403, 'WORKSPACE_ACCESS_NEEDED'), false)).toBe('REQUEST_WORKSPACE_ACCESS')
  expect(branchErrorCode(refused(403), true)).toBe('NO_WORKSPACE_FOR_BRANCH_CREATION')
  expect(branchErrorCode(refused(402), false)).toBe('WORKSPACE_FROZEN')
  expect(branchErrorCode(new Error('any'), false)).toBe('UNKNOWN_ERROR')
})

it('writes the names of branches as they are, slashes included', () => {
  expect(branchPath(address)).toBe('/github/ada/todo/fix/one')
  expect(branchPath({ ...address, branch: 'a b#c' })).toBe('/github/ada/todo/a%20b%23c')
  expect(branchPath({ ...address, branch: '' })).toBe('/github/ada/todo')
})

it('AP955: a branch opens in the workspace that its address names, else in the one that the person looked at last', async () => {
  const asked = (changed: object) =>
    workspaceOfAddress({
      named: undefined,
      stays: false,
      isImport: false,
      chosen: 'last',
      mine: async () => ['own', 'last'],
      ...changed,
    })
  expect(await asked({})).toBe('last')
  expect(await asked({ named: 'other', stays: true })).toBe('other')
  expect(await asked({ stays: true })).toBeNull()
  expect(await asked({ chosen: null, isImport: true })).toBeNull()
  // What is imported is put there, so it has to be theirs still.
  expect(await asked({ isImport: true })).toBe('last')
  expect(await asked({ isImport: true, mine: async () => ['own'] })).toBeNull()
})
