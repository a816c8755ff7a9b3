import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { COMMIT_FORMAT, parseCommits, signatureEnvironment } from './commits.ts'
import type { Commit, Signature } from './commits.ts'
import { parseFileDiffs } from './fileDiffs.ts'
import type { FileDiff } from './fileDiffs.ts'
import { GitCommandError } from './gitCommandError.ts'
import { isCommitId } from './names.ts'
import { runGit } from './runGit.ts'
import type { GitRun } from './runGit.ts'

export const NO_COMMIT = '0'.repeat(40)

export interface TreeEntry {
  path: string
  mode: string
  type: 'blob' | 'tree' | 'commit'
  sha: string
  /** Null for everything but blobs. */
  size: number | null
}

/** A ref that somebody else moved in the meantime. Nothing was changed. */
export class RefMoved extends Error {
  constructor(ref: string) {
    super(`${ref} is not where it was`)
    this.name = 'RefMoved'
  }
}

/**
 * A bare repository on disk, read and written by git itself. Revisions come in as commit ids or as full refs that were checked
 * before, never as what somebody typed.
 */
export class BareRepository {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Makes an empty repository; whoever finds the folder finds a whole one. */
  static async create(folder: string, defaultBranch: string): Promise<BareRepository> {
    return BareRepository.#make(folder, (draft) =>
      runGit(['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`, draft], { cwd: dirname(folder) }),
    )
  }

  /** A copy with the branches and tags of another one. Objects are linked, so it takes no time and no room. */
  static async copy(source: BareRepository, folder: string, onlyBranch: string | null): Promise<BareRepository> {
    return BareRepository.#make(folder, async (draft) => {
      const only = onlyBranch === null ? [] : ['--single-branch', `--branch=${onlyBranch}`]
      await runGit(['clone', '--quiet', '--bare', '--local', ...only, source.folder, draft], { cwd: dirname(folder) })
      await runGit(['remote', 'remove', 'origin'], { cwd: draft, statuses: [2] })
    })
  }

  static async #make(folder: string, fill: (draft: string) => Promise<unknown>): Promise<BareRepository> {
    const draft = `${folder}.new`
    await mkdir(dirname(folder), { recursive: true })
    await rm(draft, { recursive: true, force: true })
    await fill(draft)
    await rename(draft, folder)
    return new BareRepository(folder)
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  async text(args: readonly string[], run: Omit<GitRun, 'cwd'> = {}): Promise<string> {
    return (await runGit(args, { cwd: this.folder, ...run })).stdout.toString('utf8')
  }

  /** Full names and targets of the refs below `prefix`, sorted by name. */
  async refs(prefix: string): Promise<Map<string, string>> {
    const output = await this.text(['for-each-ref', '--format=%(refname) %(objectname)', prefix])
    return new Map(
      output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(' ') as [string, string]),
    )
  }

  /** Name and commit of each branch. */
  async branches(): Promise<Map<string, string>> {
    const refs = await this.refs('refs/heads/')
    return new Map([...refs].map(([ref, sha]) => [ref.slice('refs/heads/'.length), sha]))
  }

  /** The commit that a full ref or a commit id stands for, or null. */
  async resolve(revision: string): Promise<string | null> {
    const { status, stdout } = await runGit(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
      { cwd: this.folder, statuses: [1, 128] },
    )
    return status === 0 ? stdout.toString().trim() : null
  }

  async commit(sha: string): Promise<Commit> {
    const output = await this.text(['log', '-1', '--no-show-signature', `--format=${COMMIT_FORMAT}`, sha, '--'])
    return parseCommits(output)[0]!
  }

  /** Commits of `head` that are not in `base`, newest first. */
  async log(options: {
    head: string
    base?: string | null
    limit?: number
    skip?: number
    path?: string | null
  }): Promise<Commit[]> {
    const { head, base, limit, skip, path } = options
    const range = base == null ? [head] : [head, `^${base}`]
    const output = await this.text([
      'log',
      '--no-show-signature',
      '--topo-order',
      `--format=${COMMIT_FORMAT}`,
      ...(limit === undefined ? [] : [`--max-count=${limit}`]),
      ...(skip === undefined ? [] : [`--skip=${skip}`]),
      ...range,
      '--',
      ...(path == null ? [] : [`:(literal)${path}`]),
    ])
    return parseCommits(output)
  }

  /** How many commits `head` has that `base` has not. */
  async count(head: string, base: string | null): Promise<number> {
    const range = base === null ? [head] : [head, `^${base}`]
    return Number(await this.text(['rev-list', '--count', ...range, '--']))
  }

  async mergeBase(a: string, b: string): Promise<string | null> {
    const { status, stdout } = await runGit(['merge-base', a, b], { cwd: this.folder, statuses: [1] })
    return status === 0 ? stdout.toString().trim() : null
  }

  async isAncestor(ancestor: string, of: string): Promise<boolean> {
    const { status } = await runGit(['merge-base', '--is-ancestor', ancestor, of], { cwd: this.folder, statuses: [1] })
    return status === 0
  }

  /** The entries of a tree-ish; `recursive` also those below its folders. */
  async tree(treeish: string, options: { recursive: boolean; path?: string }): Promise<TreeEntry[]> {
    const output = await this.text([
      'ls-tree',
      '-z',
      '-l',
      '--full-tree',
      ...(options.recursive ? ['-r', '-t'] : []),
      treeish,
      '--',
      ...(options.path === undefined ? [] : [options.path]),
    ])
    return output
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const [head, path] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]
        const [mode, type, sha, size] = head.split(/ +/)
        return {
          path,
          mode: mode!,
          type: type as TreeEntry['type'],
          sha: sha!,
          size: size === '-' ? null : Number(size),
        }
      })
  }

  async blob(sha: string, maxBytes: number): Promise<Buffer> {
    return (await runGit(['cat-file', 'blob', sha], { cwd: this.folder, maxBytes })).stdout
  }

  async writeBlob(content: Buffer): Promise<string> {
    return (await this.text(['hash-object', '-w', '--stdin'], { input: content })).trim()
  }

  /** A tree made of another one and changes to it. A null `sha` removes the path. */
  async writeTree(
    base: string | null,
    changes: readonly { path: string; mode: string; sha: string | null }[],
  ): Promise<string> {
    const index = `${this.folder}/boxyard-index-${process.hrtime.bigint()}`
    const run = { env: { GIT_INDEX_FILE: index } }
    try {
      if (base !== null) await this.text(['read-tree', base], run)
      const lines = changes.map(({ path, mode, sha }) =>
        sha === null ? `0 ${NO_COMMIT}\t${path}` : `${mode} ${sha}\t${path}`,
      )
      await this.text(['update-index', '-z', '--add', '--index-info'], {
        ...run,
        input: lines.map((line) => `${line}\0`).join(''),
      })
      return (await this.text(['write-tree'], run)).trim()
    } finally {
      await rm(index, { force: true })
    }
  }

  async writeCommit(commit: {
    tree: string
    parents: readonly string[]
    message: string
    author: Signature
    committer: Signature
  }): Promise<string> {
    const { tree, parents, message, author, committer } = commit
    const args = ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), tree]
    const env = signatureEnvironment(author, committer)
    return (await this.text(args, { input: message.endsWith('\n') ? message : `${message}\n`, env })).trim()
  }

  /** Moves a ref from `before` to `after`; NO_COMMIT stands for none. Throws RefMoved when it is elsewhere. */
  async updateRef(ref: string, after: string, before: string): Promise<void> {
    try {
      if (after === NO_COMMIT) await this.text(['update-ref', '--no-deref', '-d', ref, before])
      else await this.text(['update-ref', '--no-deref', ref, after, before])
    } catch (error) {
      if (
        error instanceof GitCommandError &&
        /cannot lock ref|reference already exists|but expected/.test(error.said)
      ) {
        throw new RefMoved(ref)
      }
      throw error
    }
  }

  async setDefaultBranch(name: string): Promise<void> {
    await this.text(['symbolic-ref', 'HEAD', `refs/heads/${name}`])
  }

  /** Brings one ref of another repository on this disk here. */
  async takeRef(source: BareRepository, from: string, to: string): Promise<void> {
    await this.text(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', source.folder, `+${from}:${to}`])
  }

  /** What changed between two commits, by file. A null base is the empty tree. */
  async diff(base: string | null, head: string): Promise<FileDiff[]> {
    const from = base ?? (await this.text(['hash-object', '-t', 'tree', '-w', '--stdin'])).trim()
    const options = [
      'diff-tree',
      '-r',
      '--no-commit-id',
      '--find-renames',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--full-index',
    ]
    const [raw, patch] = await Promise.all([
      this.text([...options, '--raw', '--numstat', '-z', from, head, '--']),
      this.text([...options, '--patch', from, head, '--']),
    ])
    return parseFileDiffs(raw, patch)
  }

  /** The tree of a merge, or null when the two can not be merged without a person. */
  async mergeTree(ours: string, theirs: string): Promise<string | null> {
    const { status, stdout } = await runGit(
      ['merge-tree', '--write-tree', '--no-messages', '--allow-unrelated-histories', ours, theirs],
      { cwd: this.folder, statuses: [1] },
    )
    const tree = stdout.toString().split('\n', 1)[0]!.trim()
    return status === 0 && isCommitId(tree) ? tree : null
  }
}
