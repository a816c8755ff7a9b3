import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GitHost, HostPull, RepositoryName } from '../port/gitHost.ts'
import { GitClient } from './gitClient.ts'

export interface ContractHost {
  /** Someone who can make repositories, and someone else who can see public ones. */
  author: GitHost
  authorToken: string
  reviewer: GitHost
  /** A name that no repository has. */
  newName(): string
  remove(repository: RepositoryName): Promise<void>
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')

/** What every git host behind the port has to do. Runs on the local one, and on a real one when there are tokens for it. */
export function describeGitHost(name: string, open: () => Promise<ContractHost>): void {
  describe(name, () => {
    let host: ContractHost
    let author: GitHost
    let reviewer: GitHost
    let repository: RepositoryName
    let client: GitClient

    beforeAll(async () => {
      host = await open()
      ;({ author, reviewer } = host)
      const made = await author.createRepository({
        organization: null,
        name: host.newName(),
        description: 'A contract',
        private: false,
      })
      repository = { owner: made.owner, name: made.name }
      client = new GitClient(host.authorToken)
      await client.init(made.cloneUrl)
      await client.commit('First', { 'a.txt': lines(20), 'src/b.txt': 'b\n' })
      await client.git('push', '--quiet', 'origin', 'main')
    })
    afterAll(async () => {
      await host.remove(repository)
      client.remove()
    })

    async function pullFrom(branch: string, files: Record<string, string>): Promise<HostPull> {
      await client.git('checkout', '--quiet', '-B', branch, 'origin/main')
      await client.commit(`Change on ${branch}`, files)
      await client.git('push', '--quiet', 'origin', branch)
      return author.createPull(repository, {
        title: `About ${branch}`,
        body: 'Why',
        head: branch,
        base: 'main',
        draft: false,
      })
    }
    const fetchMain = () => client.git('fetch', '--quiet', 'origin')

    it('GH20: says who someone is and what the token may do', async () => {
      const viewer = await author.viewer()
      expect(viewer.login).toBe(repository.owner)
      expect(viewer.scopes.some((scope) => scope === 'repo' || scope === 'public_repo')).toBe(true)
    })

    it('GH21: lists repositories in pages, finds them, and knows what someone may do', async () => {
      const first = await author.repositories({ affiliations: ['owner'], sort: 'created', perPage: 1 })
      expect(first.items.map((item) => item.name)).toEqual([repository.name])
      expect(await author.repository(repository)).toMatchObject({
        permission: 'ADMIN',
        private: false,
        defaultBranch: 'main',
      })
      expect(await reviewer.repository(repository)).toMatchObject({ permission: 'READ' })
      expect(await author.repository({ owner: repository.owner, name: host.newName() })).toBeNull()
    })

    it('GH22: creates, renames and removes branches, also with slashes', async () => {
      const main = (await author.branch(repository, 'main'))!
      await author.createBranch(repository, 'feature/one', main.sha)
      await expect(author.createBranch(repository, 'feature/one', main.sha)).rejects.toMatchObject({ code: 'REFUSED' })
      await author.renameBranch(repository, 'feature/one', 'feature/two')
      expect((await author.branches(repository)).map((branch) => branch.name)).toEqual(['feature/two', 'main'])
      expect(await author.branch(repository, 'feature/one')).toBeNull()
      await author.removeBranch(repository, 'feature/two')
      expect(await author.branch(repository, 'feature/two')).toBeNull()
    })

    it('GH23: refuses whoever may not write', async () => {
      const main = (await author.branch(repository, 'main'))!
      await expect(reviewer.createBranch(repository, 'theirs', main.sha)).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:FORBIDDEN|NOT_FOUND)$/),
      })
    })

    it('GH24: opens a pull request once, and shows its files', async () => {
      const pull = await pullFrom('open', { 'a.txt': `${lines(20)}\nline 21`, 'new.txt': 'new\n' })
      expect(pull).toMatchObject({ state: 'open', draft: false, headBranch: 'open', baseBranch: 'main', body: 'Why' })
      const files = await author.pullFiles(repository, pull.number)
      expect(files.map(({ path, status, additions }) => [path, status, additions])).toEqual([
        ['a.txt', 'modified', 2],
        ['new.txt', 'added', 1],
      ])
      expect(files[1]!.patch).toBe('@@ -0,0 +1 @@\n+new')
      const again = { title: 'Again', body: '', head: 'open', base: 'main', draft: false }
      await expect(author.createPull(repository, again)).rejects.toMatchObject({ code: 'REFUSED' })
      const empty = { title: 'Nothing', body: '', head: 'main', base: 'main', draft: false }
      await expect(author.createPull(repository, empty)).rejects.toMatchObject({ code: 'REFUSED' })
      const changed = await author.updatePull(repository, pull.number, { title: 'Better', state: 'closed' })
      expect(changed).toMatchObject({ title: 'Better', state: 'closed', merged: false })
      const all = await author.pulls(repository, { state: 'all', head: `${repository.owner}:open` })
      expect(all.items.map(({ number }) => number)).toEqual([pull.number])
    })

    it('GH400: a pull request becomes a draft, which is not merged, and is ready again', async () => {
      const { number } = await pullFrom('drafted', { 'drafted.txt': 'a\n' })
      expect(await author.setDraft(repository, number, true)).toMatchObject({ draft: true, state: 'open' })
      await expect(author.mergePull(repository, number, { method: 'squash' })).rejects.toThrow()
      expect(await author.setDraft(repository, number, false)).toMatchObject({ draft: false, state: 'open' })
      expect(await author.setDraft(repository, number, false)).toMatchObject({ draft: false })
      await author.updatePull(repository, number, { state: 'closed' })
    })

    it('GH25: reviews with line comments and replies', async () => {
      const pull = await pullFrom('reviewed', { 'a.txt': lines(20).replace('line 3\n', 'line three\n') })
      const review = await reviewer.createReview(repository, pull.number, {
        event: 'REQUEST_CHANGES',
        body: 'Nearly',
        comments: [{ path: 'a.txt', line: 3, side: 'RIGHT', body: 'Why three?' }],
      })
      expect(review).toMatchObject({ state: 'CHANGES_REQUESTED', body: 'Nearly' })
      const [comment] = await author.reviewComments(repository, pull.number)
      expect(comment).toMatchObject({ path: 'a.txt', line: 3, side: 'RIGHT', body: 'Why three?', reviewId: review.id })
      expect(comment!.diffHunk.split('\n').at(-1)).toBe('+line three')
      const reply = await author.replyToReviewComment(repository, pull.number, comment!.id, 'It reads better')
      expect(reply).toMatchObject({ inReplyToId: comment!.id, body: 'It reads better' })
      const edited = await author.updateReviewComment(repository, reply.id, 'It reads well')
      expect(edited.body).toBe('It reads well')
      await author.removeReviewComment(repository, reply.id)
      expect(await author.reviewComments(repository, pull.number)).toHaveLength(1)
      const beside = { path: 'a.txt', line: 19, side: 'RIGHT' as const, body: 'Beside the change' }
      const outside = { event: 'COMMENT' as const, body: '', comments: [beside] }
      await expect(reviewer.createReview(repository, pull.number, outside)).rejects.toMatchObject({ code: 'REFUSED' })
      const own = { event: 'APPROVE' as const, body: '', comments: [] }
      await expect(author.createReview(repository, pull.number, own)).rejects.toMatchObject({ code: 'REFUSED' })
      expect((await reviewer.updateReview(repository, pull.number, review.id, 'Nearly there')).body).toBe(
        'Nearly there',
      )
      expect(await author.dismissReview(repository, pull.number, review.id, 'Done')).toMatchObject({
        state: 'DISMISSED',
      })
    })

    it('GH26: asks people to review, until they did', async () => {
      const pull = await pullFrom('asked', { 'asked.txt': 'asked\n' })
      const { login } = await reviewer.viewer()
      expect((await author.requestReviewers(repository, pull.number, [login])).map((user) => user.login)).toEqual([
        login,
      ])
      expect(await author.removeRequestedReviewers(repository, pull.number, [login])).toEqual([])
      await author.requestReviewers(repository, pull.number, [login])
      await reviewer.createReview(repository, pull.number, { event: 'APPROVE', body: '', comments: [] })
      expect((await author.pull(repository, pull.number)).requestedReviewers).toEqual([])
    })

    it.each([
      ['merge', 2],
      ['squash', 1],
      ['rebase', 2],
    ] as const)('GH27: merges by %s', async (method, added) => {
      await fetchMain()
      const before = Number(await client.git('rev-list', '--count', '--first-parent', 'origin/main'))
      const pull = await pullFrom(`by-${method}`, { [`${method}-1.txt`]: '1\n' })
      await client.commit('Second', { [`${method}-2.txt`]: '2\n' })
      await client.git('push', '--quiet', 'origin', `by-${method}`)
      const head = (await client.git('rev-parse', 'HEAD')).trim()
      await expect(author.mergePull(repository, pull.number, { method, sha: pull.headSha })).rejects.toMatchObject({
        code: 'CONFLICT',
      })
      const sha = await author.mergePull(repository, pull.number, { method, sha: head })
      expect(await author.pull(repository, pull.number)).toMatchObject({
        state: 'closed',
        merged: true,
        mergeCommitSha: sha,
      })
      expect((await author.branch(repository, 'main'))!.sha).toBe(sha)
      await fetchMain()
      const parents = (await client.git('log', '-1', '--format=%P', sha)).trim().split(' ')
      expect(parents.length).toBe(method === 'merge' ? 2 : 1)
      expect(Number(await client.git('rev-list', '--count', '--first-parent', 'origin/main')) - before).toBe(
        method === 'merge' ? 1 : added,
      )
      const names = (await client.git('ls-tree', '--name-only', sha)).split('\n')
      expect(names).toEqual(expect.arrayContaining([`${method}-1.txt`, `${method}-2.txt`]))
    })

    it('GH28: does not merge what conflicts', async () => {
      await fetchMain()
      const first = await pullFrom('conflict-a', { 'b.txt': 'one\n' })
      const second = await pullFrom('conflict-b', { 'b.txt': 'two\n' })
      await author.mergePull(repository, first.number, { method: 'squash' })
      for (const method of ['merge', 'squash', 'rebase'] as const) {
        await expect(author.mergePull(repository, second.number, { method })).rejects.toMatchObject({
          code: 'CONFLICT',
        })
      }
      expect((await author.pull(repository, second.number)).state).toBe('open')
    })
  })
}
