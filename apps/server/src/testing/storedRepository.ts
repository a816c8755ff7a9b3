const LONG_AGO = '2026-01-01T00:00:00.000Z'

/** A private repository as the git host said it to somebody who administers it, and as it is kept. */
export function storedRepository(owner: string, name: string): Record<string, unknown> {
  const moments = { createdAt: LONG_AGO, updatedAt: LONG_AGO, pushedAt: LONG_AGO }
  const flags = { private: true, fork: false, archived: false, isTemplate: false, allowForking: true }
  return {
    id: 1,
    owner,
    name,
    description: null,
    defaultBranch: 'main',
    permission: 'ADMIN',
    parent: null,
    ...flags,
    ...moments,
  }
}
