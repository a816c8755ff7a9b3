import { describe, expect, it } from 'vitest'
import { branchPolicies, holdsOnBranch } from './policiesBranch.ts'
import { installationPolicies, installationRoleOf } from './policiesInstallation.ts'
import { livePolicies } from './policiesLive.ts'
import { sandboxPolicies } from './policies.ts'
import { commentPolicies } from './policiesComment.ts'
import { frozenTeamOperations, managerOperations, mayDoInTeam, teamAbilitiesOf, teamPolicies } from './policiesTeam.ts'
import type { Policy } from './policy.ts'

const teamReads = ['see', 'leave']
const teamWrites = [
  ...teamReads,
  'create',
  'editFolders',
  'editTemplates',
  'editRepositories',
  'seeInviteLink',
  'invite',
]
const branchReads = ['see', 'open', 'contribute', 'comment', 'review']
const branchWrites = [
  ...branchReads,
  'edit',
  'restart',
  'secrets',
  'branch',
  'rename',
  'vscode',
  'startLiveSession',
  'delete',
  'openPullRequest',
  'requestReview',
  'dismissReview',
  'merge',
]
const people = ['explore', 'createTeam', 'createAlbum', 'like', 'upload']

/** The tables once more, written by role, so that a changed cell shows in two places and a new row has to be thought about twice. */
const tables: Record<string, { policy: Policy<string, string>; expected: Record<string, readonly string[]> }> = {
  workspace: {
    policy: teamPolicies,
    expected: {
      none: [],
      read: teamReads,
      write: teamWrites,
      admin: [
        ...teamWrites,
        'removeRepositories',
        'answerRequests',
        'changeMembers',
        'describe',
        'changeSettings',
        'changeRegistry',
        'seeBilling',
        'changeBilling',
        'seeSso',
        'changeSso',
        'seeAudit',
        'delete',
      ],
    },
  },
  branch: {
    policy: branchPolicies,
    expected: {
      none: [],
      read: branchReads,
      write: branchWrites,
      admin: [...branchWrites, 'protect', 'changeMachine', 'consent'],
    },
  },
  'live session': {
    policy: livePolicies,
    expected: { none: [], read: ['see'], write: ['see', 'edit'], host: ['see', 'edit', 'changePermissions', 'stop'] },
  },
  installation: {
    policy: installationPolicies,
    expected: {
      visitor: ['explore'],
      user: people,
      curator: [...people, 'pick', 'curateAlbums'],
      admin: [
        ...people,
        'pick',
        'curateAlbums',
        'appointCurators',
        'readMails',
        'operateMachines',
        'readAudit',
        'changeFeatureFlags',
        'giveBadges',
      ],
    },
  },
}

describe.each(Object.entries(tables))('AP710: the table of the %s', (_name, { policy, expected }) => {
  const cells = policy.roles.flatMap((role) => policy.operations.map((operation) => ({ role, operation })))

  it.each(cells)('$role: $operation', ({ role, operation }) => {
    const allowed = expected[role]!.includes(operation)
    expect(policy.mayDo(role, operation)).toBe(allowed)
    expect(policy.abilitiesOf(role)[operation]).toBe(allowed)
    const authorize = () => policy.authorize(role, operation)
    if (allowed) expect(authorize).not.toThrow()
    else expect(authorize).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })

  it('never allows a weaker role what it refuses a stronger one', () => {
    for (const operation of policy.operations) {
      const allowed = policy.table[operation]!
      expect([operation, allowed]).toEqual([operation, policy.roles.slice(policy.roles.indexOf(allowed[0]!))])
    }
  })

  it('names no operation that does not exist', () => {
    expect(Object.keys(expected)).toEqual([...policy.roles])
    for (const operations of Object.values(expected))
      expect(policy.operations).toEqual(expect.arrayContaining([...operations]))
  })
})

describe('AP710: an operation of any table', () => {
  const all = [...Object.values(tables).map(({ policy }) => policy), sandboxPolicies, commentPolicies] as const

  it('is allowed to somebody', () => {
    for (const policy of all)
      for (const operation of policy.operations)
        expect([operation, (policy as Policy<string, string>).table[operation]!.length]).not.toEqual([operation, 0])
  })
})

describe('AP711: beside the role', () => {
  it.each(teamPolicies.operations)('whoever looks after the bill: %s', (operation) => {
    const extra = ['seeBilling', 'changeBilling'].includes(operation)
    const manager = { role: 'read', manager: true } as const
    expect(mayDoInTeam(manager, operation)).toBe(extra || teamPolicies.mayDo('read', operation))
    expect(teamAbilitiesOf(manager)[operation]).toBe(mayDoInTeam(manager, operation))
    // A bill is no membership.
    expect(mayDoInTeam({ role: 'none', manager: true }, operation)).toBe(false)
  })

  it('a frozen workspace is read, left, paid for and deleted, and nothing else', () => {
    expect(frozenTeamOperations.toSorted()).toEqual(
      ['see', 'leave', 'delete', 'seeAudit', ...managerOperations].toSorted(),
    )
  })

  it.each(branchPolicies.operations)('a protected branch and a contribution branch: %s', (operation) => {
    const kept = ['edit', 'rename', 'vscode', 'startLiveSession', 'delete']
    expect(holdsOnBranch(operation, { isProtected: true, isContribution: false })).toBe(!kept.includes(operation))
    expect(holdsOnBranch(operation, { isProtected: false, isContribution: true })).toBe(operation !== 'branch')
    expect(holdsOnBranch(operation, { isProtected: false, isContribution: false })).toBe(true)
  })

  it('someone is to the installation what their account says', () => {
    const now = new Date()
    expect(installationRoleOf(null)).toBe('visitor')
    expect(installationRoleOf({ role: 'member', curatorAt: null })).toBe('user')
    expect(installationRoleOf({ role: 'member', curatorAt: now })).toBe('curator')
    expect(installationRoleOf({ role: 'admin', curatorAt: now })).toBe('admin')
  })
})
