import type { RepositoryMaker } from '@boxyard/workbench'
import { z } from 'zod'
import type { RestClient } from '../api/RestClient.ts'
import type { Sandbox } from '../api/schemas.ts'
import { branchPath } from './branchPath.ts'
import { branchSchema } from './queries.ts'
import { suggestedName } from './suggestedName.ts'

const made = z.object({
  owner: z.string(),
  repo: z.string(),
  branch: z.string(),
  url: z.string(),
  credentials: z.object({ origin: z.string(), username: z.string(), password: z.string() }),
})

/** Makes a repository at the git host out of a devbox. With `asksAtOnce` the person came for that. */
export function repositoryMaker(rest: RestClient, { id, title, team }: Sandbox, asksAtOnce: boolean): RepositoryMaker {
  return {
    asksAtOnce,
    suggestion: suggestedName({ id, title }),
    create: async ({ name, isPrivate }) => {
      const { owner, repo, ...push } = await rest.post(`/api/beta/sandboxes/${encodeURIComponent(id)}/repository`, {
        schema: made,
        body: { name, private: isPrivate },
      })
      return {
        ...push,
        open: async () => {
          const opened = await rest.post(`/api/beta/import/github/${owner}/${repo}`, {
            schema: branchSchema,
            body: team ? { teamId: team.id } : {},
          })
          window.location.assign(branchPath(opened))
        },
      }
    },
  }
}
