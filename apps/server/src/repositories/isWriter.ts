import type { HostRepository } from '@boxyard/git-host'

/** Whether somebody may push to a repository, as the git host says it to them. */
export function isWriter({ permission }: Pick<HostRepository, 'permission'>): boolean {
  return permission === 'ADMIN' || permission === 'WRITE'
}
