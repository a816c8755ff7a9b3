import { limits } from '../common/agentMessages.ts'

/** Where a page is, as its engine takes it: a path that begins with two slashes would be the address of another server. */
export function addressOf({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  return `/${pathname.replace(/^[/\\]+/, '')}${search}${hash}`.slice(0, limits.path)
}
