import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'

const hostRepository = z.object({
  id: z.string(),
  fullName: z.string(),
  private: z.boolean(),
  authorization: z.enum(['READ', 'WRITE']),
  /** Whether the platform's app is installed for it. */
  appInstalled: z.boolean(),
})
export type HostRepository = z.output<typeof hostRepository>

const PAGE = 30
const fields = '{ id fullName private authorization appInstalled }'
const ownDocument = `query githubRepos($page: Int, $perPage: Int) {
  me { githubRepos(affiliation: [OWNER, COLLABORATOR, ORGANIZATION_MEMBER], sort: PUSHED, page: $page, perPage: $perPage) ${fields} }
}`
const organizationDocument = `query githubOrganizationRepos($organization: String!, $page: Int, $perPage: Int) {
  githubOrganizationRepos(organization: $organization, sort: PUSHED, page: $page, perPage: $perPage) ${fields}
}`
const organizationsDocument = `query organizations { me { githubOrganizations { id login } } }`

export interface HostRepositoriesWish {
  /** An organization; null for everything the person owns or works on. */
  owner: string | null
  /** A part of the name; empty for all. */
  query: string
  page: number
}

/** One page of repositories at the git host, what was pushed last first. */
export const hostRepositories = (app: Pick<App, 'rest' | 'graphql'>, wish: HostRepositoriesWish) =>
  queryOptions({
    queryKey: ['host-repositories', wish.owner, wish.query, wish.page],
    queryFn: () => read(app, wish),
    // While somebody types, the list of before is better than none.
    placeholderData: keepPreviousData,
  })

async function read(
  { rest, graphql }: Pick<App, 'rest' | 'graphql'>,
  { owner, query, page }: HostRepositoriesWish,
): Promise<{ repositories: HostRepository[]; hasMore: boolean }> {
  if (query !== '')
    return rest.get('/api/beta/repos/search/github', {
      schema: z.object({ repositories: z.array(hostRepository), hasMore: z.boolean() }),
      query: { query, owner: owner ?? undefined, page: String(page), per_page: String(PAGE) },
    })
  const list = z.array(hostRepository)
  const variables = { page, perPage: PAGE }
  const repositories =
    owner === null
      ? ((
          await graphql.query(ownDocument, {
            variables,
            schema: z.object({ me: z.object({ githubRepos: list }).nullable() }),
          })
        ).me?.githubRepos ?? [])
      : ((
          await graphql.query(organizationDocument, {
            variables: { ...variables, organization: owner },
            schema: z.object({ githubOrganizationRepos: list.nullable() }),
          })
        ).githubOrganizationRepos ?? [])
  return { repositories, hasMore: repositories.length === PAGE }
}

/** The organizations of the person at the git host. */
export const hostOrganizations = (app: Pick<App, 'graphql'>) =>
  queryOptions({
    queryKey: ['host-organizations'],
    queryFn: async () => {
      const { me } = await app.graphql.query(organizationsDocument, {
        schema: z.object({
          me: z
            .object({ githubOrganizations: z.array(z.object({ id: z.string(), login: z.string() })).nullable() })
            .nullable(),
        }),
      })
      return me?.githubOrganizations ?? []
    },
  })
