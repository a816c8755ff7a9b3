import { Octokit } from '@octokit/rest'
import type { GitHost, HostCheck, HostTreeFile, ListOptions, Page, RepositoryName } from './gitHost.ts'
import { GitHostFailure } from './gitHostFailure.ts'
import { asFailure } from './octokitFailure.ts'
import {
  readBranch,
  readComment,
  readFile,
  readOrganization,
  readPull,
  readRepository,
  readReview,
  readReviewComment,
  readUser,
} from './octokitShapes.ts'

export interface OctokitGitHostOptions {
  /** `https://api.github.com`, `https://HOST/api/v3`, or the local git host's. */
  apiUrl: string
  /** Null asks as nobody. */
  token: string | null
  /** Reaches the host; the local one is reached without a network. */
  fetch?: typeof globalThis.fetch
}

const PER_PAGE = 30
const ALL = 100

/** GitHub, a GitHub Enterprise Server or the local git host, which speak the same. */
export function createOctokitGitHost({ apiUrl, token, fetch }: OctokitGitHostOptions): GitHost {
  const octokit = new Octokit({
    baseUrl: apiUrl,
    userAgent: 'boxyard',
    ...(token === null ? {} : { auth: token }),
    ...(fetch === undefined ? {} : { request: { fetch } }),
    // What fails is told to whoever asked; nothing of it belongs on the console.
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  const { rest } = octokit

  async function ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw asFailure(error)
    }
  }
  const orNull = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Error && 'status' in error && error.status === 404) return null
      throw asFailure(error)
    }
  }
  const at = ({ owner, name }: RepositoryName) => ({ owner, repo: name })
  const paging = ({ page, perPage }: ListOptions) => ({ page: page ?? 1, per_page: perPage ?? PER_PAGE })
  const paged = <T, R>(
    answer: { data: T[]; headers: { link?: string } },
    page: number | undefined,
    read: (item: T) => R,
  ): Page<R> => ({
    items: answer.data.map(read),
    nextPage: /rel="next"/.test(answer.headers.link ?? '') ? (page ?? 1) + 1 : null,
  })

  return {
    viewer: () =>
      ask(async () => {
        const { data, headers } = await rest.users.getAuthenticated()
        const scopes = (headers['x-oauth-scopes'] ?? '').split(/[\s,]+/).filter((scope) => scope !== '')
        return { ...readUser(data), name: data.name, scopes }
      }),
    organizations: () =>
      ask(async () =>
        (await octokit.paginate(rest.orgs.listForAuthenticatedUser, { per_page: ALL })).map(readOrganization),
      ),
    repositories: (options) =>
      ask(async () => {
        const { affiliations, sort } = options
        const answer = await rest.repos.listForAuthenticatedUser({
          ...paging(options),
          affiliation: affiliations.join(','),
          ...(sort === undefined ? {} : { sort }),
        })
        return paged(answer, options.page, readRepository)
      }),
    organizationRepositories: (org, options) =>
      ask(async () => {
        const { sort } = options
        const answer = await rest.repos.listForOrg({ org, ...paging(options), ...(sort === undefined ? {} : { sort }) })
        return paged(answer, options.page, readRepository)
      }),
    searchRepositories: (q, options) =>
      ask(async () => {
        const { data, headers } = await rest.search.repos({ q, ...paging(options) })
        return paged({ data: data.items, headers }, options.page, readRepository)
      }),
    repository: (repository) => orNull(async () => readRepository((await rest.repos.get(at(repository))).data)),
    createRepository: ({ organization, name, description, private: isPrivate, initialCommit = false }) =>
      ask(async () => {
        const described = description === null ? {} : { description }
        const values = { name, private: isPrivate, auto_init: initialCommit, ...described }
        const { data } =
          organization === null
            ? await rest.repos.createForAuthenticatedUser(values)
            : await rest.repos.createInOrg({ org: organization, ...values })
        return readRepository(data)
      }),
    fork: (repository, { organization, name }) =>
      ask(async () => {
        const { data } = await rest.repos.createFork({
          ...at(repository),
          ...(organization === null ? {} : { organization }),
          ...(name === null ? {} : { name }),
        })
        return readRepository(data)
      }),
    appInstallations: async (owners) => {
      const wanted = new Set(owners.map((owner) => owner.toLowerCase()))
      const everywhere = new Set<string>()
      const somewhere = new Set<string>()
      try {
        const installations = await ask(() =>
          octokit.paginate(rest.apps.listInstallationsForAuthenticatedUser, { per_page: ALL }),
        )
        for (const { id, account, repository_selection: selection } of installations) {
          if (!account || !('login' in account) || !wanted.has(account.login.toLowerCase())) continue
          if (selection === 'all') {
            everywhere.add(account.login.toLowerCase())
            continue
          }
          const chosen = await ask(() =>
            octokit.paginate(rest.apps.listInstallationReposForAuthenticatedUser, {
              installation_id: id,
              per_page: ALL,
            }),
          )
          for (const { full_name: name } of chosen) somewhere.add(name.toLowerCase())
        }
      } catch (error) {
        // Tokens that are not of an app may not ask.
        if (error instanceof GitHostFailure && ['FORBIDDEN', 'SCOPE_MISSING', 'NOT_FOUND'].includes(error.code))
          return null
        throw error
      }
      return ({ owner, name }) => everywhere.has(owner.toLowerCase()) || somewhere.has(`${owner}/${name}`.toLowerCase())
    },

    branches: (repository) =>
      ask(async () =>
        (await octokit.paginate(rest.repos.listBranches, { ...at(repository), per_page: ALL })).map(readBranch),
      ),
    branch: (repository, branch) =>
      orNull(async () => readBranch((await rest.repos.getBranch({ ...at(repository), branch })).data)),
    createBranch: (repository, name, sha) =>
      ask(async () => void (await rest.git.createRef({ ...at(repository), ref: `refs/heads/${name}`, sha }))),
    renameBranch: (repository, branch, newName) =>
      ask(async () => void (await rest.repos.renameBranch({ ...at(repository), branch, new_name: newName }))),
    removeBranch: (repository, name) =>
      ask(async () => void (await rest.git.deleteRef({ ...at(repository), ref: `heads/${name}` }))),

    moveBranch: (repository, name, sha) =>
      ask(async () => void (await rest.git.updateRef({ ...at(repository), ref: `heads/${name}`, sha, force: false }))),
    files: (repository, tree_sha) =>
      ask(async () => {
        const { data } = await rest.git.getTree({ ...at(repository), tree_sha, recursive: 'true' })
        if (data.truncated) throw new GitHostFailure('REFUSED', 'The repository has more files than it lists')
        return data.tree.flatMap(({ type, path, sha, mode }) =>
          type === 'blob' ? [{ path, sha, mode: mode as HostTreeFile['mode'] }] : [],
        )
      }),
    content: (repository, file_sha) =>
      ask(async () => {
        const { data } = await rest.git.getBlob({ ...at(repository), file_sha })
        return Buffer.from(data.content, data.encoding === 'base64' ? 'base64' : 'utf8')
      }),
    compare: (repository, base, head) =>
      ask(async () => {
        const shaOf = async (ref: string) => (await rest.repos.getCommit({ ...at(repository), ref })).data.sha
        const [baseSha, headSha] = await Promise.all([shaOf(base), shaOf(head)])
        const basehead = `${baseSha}...${headSha}`
        const { data } = await rest.repos.compareCommitsWithBasehead({ ...at(repository), basehead })
        return { baseSha, headSha, files: (data.files ?? []).map(readFile) }
      }),
    createCommit: (repository, { message, parents, keep, changes }) =>
      ask(async () => {
        const tree: { path: string; mode: HostTreeFile['mode']; type: 'blob'; sha: string | null }[] = []
        // One after the other: hosts refuse whoever writes many at once.
        for (const { path, mode, content } of changes) {
          const blob = content && {
            ...at(repository),
            content: content.toString('base64'),
            encoding: 'base64',
          }
          const sha = blob === null ? null : (await rest.git.createBlob(blob)).data.sha
          tree.push({ path, mode, type: 'blob', sha })
        }
        const [first] = parents
        const base =
          keep && first !== undefined
            ? (await rest.git.getCommit({ ...at(repository), commit_sha: first })).data.tree.sha
            : undefined
        const made = await rest.git.createTree({
          ...at(repository),
          tree,
          ...(base === undefined ? {} : { base_tree: base }),
        })
        const commit = { ...at(repository), message, tree: made.data.sha, parents: [...parents] }
        return (await rest.git.createCommit(commit)).data.sha
      }),

    pulls: (repository, options) =>
      ask(async () => {
        const { state = 'open', head, base } = options
        const answer = await rest.pulls.list({
          ...at(repository),
          ...paging(options),
          state,
          ...(head === undefined ? {} : { head }),
          ...(base === undefined ? {} : { base }),
        })
        return paged(answer, options.page, readPull)
      }),
    pull: (repository, number) =>
      ask(async () => readPull((await rest.pulls.get({ ...at(repository), pull_number: number })).data)),
    createPull: (repository, values) =>
      ask(async () => readPull((await rest.pulls.create({ ...at(repository), ...values })).data)),
    updatePull: (repository, number, change) =>
      ask(async () => readPull((await rest.pulls.update({ ...at(repository), pull_number: number, ...change })).data)),
    setDraft: (repository, number, draft) =>
      ask(async () => {
        const pull = { ...at(repository), pull_number: number }
        const { data } = await octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...pull, draft })
        if ((data.draft ?? false) !== draft) {
          // GitHub's REST API reads `draft` when a pull request is opened and not later; its GraphQL API has a mutation for each way.
          const mutation = draft ? 'convertPullRequestToDraft' : 'markPullRequestReadyForReview'
          await octokit.graphql(
            `mutation ($id: ID!) { ${mutation}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`,
            { id: data.node_id },
          )
        }
        return readPull((await rest.pulls.get(pull)).data)
      }),
    mergePull: (repository, number, { method, sha }) =>
      ask(async () => {
        const { data } = await rest.pulls.merge({
          ...at(repository),
          pull_number: number,
          merge_method: method,
          ...(sha === undefined ? {} : { sha }),
        })
        return data.sha
      }),
    pullFiles: (repository, number) =>
      ask(async () =>
        (await octokit.paginate(rest.pulls.listFiles, { ...at(repository), pull_number: number, per_page: ALL })).map(
          readFile,
        ),
      ),

    reviews: (repository, number) =>
      ask(async () =>
        (await octokit.paginate(rest.pulls.listReviews, { ...at(repository), pull_number: number, per_page: ALL }))
          // A review that is still being written belongs to its author alone.
          .filter(({ state }) => state !== 'PENDING')
          .map(readReview),
      ),
    createReview: (repository, number, { event, body, commitId, comments }) =>
      ask(async () => {
        const { data } = await rest.pulls.createReview({
          ...at(repository),
          pull_number: number,
          event,
          body,
          ...(commitId === undefined ? {} : { commit_id: commitId }),
          comments: comments.map(({ startLine, startSide, ...comment }) => ({
            ...comment,
            ...(startLine === undefined ? {} : { start_line: startLine }),
            ...(startSide === undefined ? {} : { start_side: startSide }),
          })),
        })
        return readReview(data)
      }),
    updateReview: (repository, number, reviewId, body) =>
      ask(async () =>
        readReview(
          (await rest.pulls.updateReview({ ...at(repository), pull_number: number, review_id: reviewId, body })).data,
        ),
      ),
    dismissReview: (repository, number, reviewId, message) =>
      ask(async () =>
        readReview(
          (await rest.pulls.dismissReview({ ...at(repository), pull_number: number, review_id: reviewId, message }))
            .data,
        ),
      ),
    reviewComments: (repository, number) =>
      ask(async () =>
        (
          await octokit.paginate(rest.pulls.listReviewComments, {
            ...at(repository),
            pull_number: number,
            per_page: ALL,
          })
        ).map(readReviewComment),
      ),
    replyToReviewComment: (repository, number, commentId, body) =>
      ask(async () =>
        readReviewComment(
          (
            await rest.pulls.createReplyForReviewComment({
              ...at(repository),
              pull_number: number,
              comment_id: commentId,
              body,
            })
          ).data,
        ),
      ),
    updateReviewComment: (repository, commentId, body) =>
      ask(async () =>
        readReviewComment(
          (await rest.pulls.updateReviewComment({ ...at(repository), comment_id: commentId, body })).data,
        ),
      ),
    removeReviewComment: (repository, commentId) =>
      ask(async () => void (await rest.pulls.deleteReviewComment({ ...at(repository), comment_id: commentId }))),
    comments: (repository, number) =>
      ask(async () =>
        (
          await octokit.paginate(rest.issues.listComments, { ...at(repository), issue_number: number, per_page: ALL })
        ).map((comment) => readComment(comment, number)),
      ),
    requestReviewers: (repository, number, logins) =>
      ask(async () => {
        const { data } = await rest.pulls.requestReviewers({
          ...at(repository),
          pull_number: number,
          reviewers: [...logins],
        })
        return (data.requested_reviewers ?? []).flatMap((user) => ('login' in user ? [readUser(user)] : []))
      }),
    removeRequestedReviewers: (repository, number, logins) =>
      ask(async () => {
        const { data } = await rest.pulls.removeRequestedReviewers({
          ...at(repository),
          pull_number: number,
          reviewers: [...logins],
        })
        return (data.requested_reviewers ?? []).flatMap((user) => ('login' in user ? [readUser(user)] : []))
      }),
    checks: (repository, ref) =>
      ask(async () => {
        const [status, runs] = await Promise.all([
          rest.repos.getCombinedStatusForRef({ ...at(repository), ref, per_page: ALL }),
          rest.checks.listForRef({ ...at(repository), ref, per_page: ALL }),
        ])
        const statuses = status.data.statuses.map(({ context, state, description, target_url: url }): HostCheck => ({
          name: context,
          state: state === 'success' || state === 'pending' ? state : 'failure',
          description,
          url,
        }))
        const checks = runs.data.check_runs.map(
          ({ name, status: progress, conclusion, output, details_url: url }): HostCheck => ({
            name,
            state: progress !== 'completed' ? 'pending' : passed.has(conclusion ?? '') ? 'success' : 'failure',
            description: output.title,
            url,
          }),
        )
        return [...statuses, ...checks]
      }),

    createWebhook: (repository, { url, secret, events }) =>
      ask(async () => {
        const present = await octokit.paginate(rest.repos.listWebhooks, { ...at(repository), per_page: ALL })
        const same = present.find(({ config }) => config.url === url)
        const values = { config: { url, secret, content_type: 'json' }, events: [...events], active: true }
        if (same) {
          await rest.repos.updateWebhook({ ...at(repository), hook_id: same.id, ...values })
          return same.id
        }
        return (await rest.repos.createWebhook({ ...at(repository), ...values })).data.id
      }),
    removeWebhook: (repository, id) =>
      ask(async () => void (await rest.repos.deleteWebhook({ ...at(repository), hook_id: id }))),
  }
}

const passed: ReadonlySet<string> = new Set(['success', 'neutral', 'skipped'])
