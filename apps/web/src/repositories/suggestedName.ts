import type { Sandbox } from '../api/schemas.ts'

/** What a repository of a sandbox could be called. */
export function suggestedName({ id, title }: Pick<Sandbox, 'id' | 'title'>): string {
  const words = (title ?? id)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 100)
  return words || id
}
