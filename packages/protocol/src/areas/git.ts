import { z } from 'zod'
import { method } from '../method.ts'

/** Short codes of `git status`: unmodified, modified, added, deleted, renamed, copied, unmerged and untracked. */
export const gitShortStatuses = ['', 'M', 'A', 'D', 'R', 'C', 'U', '?'] as const
const shortStatus = z.enum(gitShortStatuses)
export type GitShortStatus = z.infer<typeof shortStatus>

const noNul = (value: string): boolean => !value.includes('\0')
/** Relative to the top of the repository. */
const path = z.string().min(1).max(4096).refine(noNul, 'must not contain NUL')
const paths = z.array(path).max(100_000)
/** A branch, tag or commit. What begins with a dash would be read as an option by git. */
const reference = z
  .string()
  .min(1)
  .max(1000)
  .refine((value) => noNul(value) && !value.startsWith('-'), 'must be a branch, tag or commit')
/** The rules of `git check-ref-format --branch`, as far as a pattern can tell. */
const branchName = reference.refine(
  // oxlint-disable-next-line no-control-regex
  (value) => !/[\u0000- ~^:?*[\\\u007f]|\.\.|@\{|\/\/|\/\.|^[./]|[./]$|\.lock(\/|$)|^@$|^HEAD$/.test(value),
  'must be the name of a branch',
)

export const gitItemSchema = z.object({
  path: z.string(),
  index: shortStatus,
  workingTree: shortStatus,
  isStaged: z.boolean(),
  isConflicted: z.boolean(),
  fileId: z.string().optional(),
})
export type GitItem = z.infer<typeof gitItemSchema>

/** `safe` means that merging it into this branch would not conflict, neither with commits nor with local changes. */
export const gitSideSchema = z.object({
  head: z.string().nullable(),
  branch: z.string().nullable(),
  ahead: z.number().int(),
  behind: z.number().int(),
  safe: z.boolean(),
})
export type GitSide = z.infer<typeof gitSideSchema>

export const gitCommitSchema = z.object({
  hash: z.string(),
  /** ISO 8601. */
  date: z.string(),
  message: z.string(),
  author: z.string(),
})
export type GitCommit = z.infer<typeof gitCommitSchema>

export const gitStatusSchema = z.object({
  /** By file id; a changed file without a place in the tree stands under its path. */
  changedFiles: z.record(z.string(), gitItemSchema),
  deletedFiles: z.array(gitItemSchema),
  conflicts: z.boolean(),
  localChanges: z.boolean(),
  remote: gitSideSchema,
  target: gitSideSchema,
  head: z.string().optional(),
  /** Commits of this branch that its remote does not have, newest first. */
  commits: z.array(gitCommitSchema),
  branch: z.string().nullable(),
  isMerging: z.boolean(),
  /** Boxyard's addition: the history ends where a shallow clone began. Absent where it is whole. */
  isShallow: z.literal(true).optional(),
})
export type GitStatus = z.infer<typeof gitStatusSchema>

/** Addresses without credentials; empty when there is no such remote. */
export const gitRemotesSchema = z.object({ origin: z.string(), upstream: z.string() })
export type GitRemotes = z.infer<typeof gitRemotesSchema>

const lineRange = z.object({ start: z.number().int(), end: z.number().int() })
export const gitDiffFileSchema = z.object({
  status: shortStatus,
  path: z.string(),
  oldPath: z.string().optional(),
  /** Lines from `start` to before `end`, counted from 1. */
  hunks: z.array(z.object({ original: lineRange, modified: lineRange })),
})
export type GitDiffFile = z.infer<typeof gitDiffFileSchema>

/**
 * Boxyard's addition: what the remote asks for, in this call alone. It goes to `origin` (scheme, host and port) and nowhere else, and is
 * never written to disk. Without it git uses what the box itself is set up with.
 */
export const gitCredentialsSchema = z.object({
  origin: z
    .string()
    .max(1000)
    .regex(/^https?:\/\/[^/@\s?#]+$/, 'must be scheme, host and port'),
  // A line break would begin another attribute of git's credential protocol.
  username: z
    .string()
    .min(1)
    .max(1000)
    .regex(/^[^\r\n\0]*$/),
  password: z
    .string()
    .min(1)
    .max(10_000)
    .regex(/^[^\r\n\0]*$/),
})
export type GitCredentials = z.infer<typeof gitCredentialsSchema>
const credentials = gitCredentialsSchema.optional()
/** Boxyard's addition: who a commit is by. Without it, who the box is set up for, else the person who calls. */
const author = z
  .object({
    name: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^<>\r\n\0]*$/),
    email: z
      .string()
      .min(1)
      .max(320)
      .regex(/^[^<>\s\0]+$/),
  })
  .optional()

const none = z.object({}).optional()
const failure = z.object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() })

export const gitMethods = {
  'git/status': method(none, gitStatusSchema, 'git.status'),
  'git/remotes': method(none, gitRemotesSchema, 'git.remotes'),
  'git/targetDiff': method(
    /** With `credentials` the branch is fetched first. */
    z.object({ branch: branchName, credentials }),
    z.object({ ahead: z.number().int(), behind: z.number().int(), commits: z.array(gitCommitSchema) }),
    'git.diffStatus',
  ),
  'git/pull': method(
    z.object({ branch: branchName.optional(), force: z.boolean().optional(), credentials }).optional(),
    z.null(),
    'git.pull',
  ),
  'git/discard': method(
    z.object({ paths: paths.optional() }).optional(),
    z.object({ paths: z.array(z.string()).optional() }),
    'git.discard',
  ),
  'git/commit': method(
    z.object({
      message: z.string().min(1).max(50_000).refine(noNul, 'must not contain NUL'),
      paths: paths.optional(),
      push: z.boolean().optional(),
      author,
      credentials,
    }),
    z.object({ shellId: z.string() }),
    'git.commit',
  ),
  'git/push': method(z.object({ credentials }).optional(), z.null(), 'git.push'),
  'git/pushToRemote': method(
    z.object({
      url: z
        .string()
        .max(4096)
        .refine((value) => /^(https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:|^\//.test(value) && noNul(value), {
          message: 'must be the address of a repository',
        }),
      branch: branchName,
      squashAllCommits: z.boolean().optional(),
      author,
      credentials,
    }),
    z.null(),
    'git.push',
  ),
  'git/renameBranch': method(z.object({ oldBranch: branchName, newBranch: branchName }), z.null(), 'git.renameBranch'),
  'git/remoteContent': method(z.object({ reference, path }), z.object({ content: z.string() }), 'git.remoteContent'),
  'git/diffStatus': method(
    z.object({ base: reference, head: reference }),
    z.object({ files: z.array(gitDiffFileSchema) }),
    'git.diffStatus',
  ),
  'git/resetLocalWithRemote': method(z.object({ credentials }).optional(), z.null(), 'git.discard'),
  'git/checkoutInitialBranch': method(none, z.null(), 'git.discard'),
  /** Boxyard's addition: the commits of this branch that changed a file, newest first, a hundred at a time. */
  'git/log': method(
    z.object({ path, skip: z.number().int().min(0).max(1_000_000).optional() }),
    z.object({ commits: z.array(gitCommitSchema), hasMore: z.boolean() }),
    'git.diffStatus',
  ),
  /** Boxyard's addition: fetches what a shallow clone left out. False where the history is whole. */
  'git/deepen': method(z.object({ credentials }).optional(), z.object({ deepened: z.boolean() }), 'git.pull'),
  'git/transposeLines': method(
    z
      .array(
        z.object({
          sha: z.string().regex(/^[0-9a-f]{4,64}$/, 'must be the hash of a commit'),
          path,
          line: z.number().int().positive(),
        }),
      )
      .max(1000),
    z.array(z.object({ path: z.string(), line: z.number().int() }).nullable()),
    'git.diffStatus',
  ),
}

export const gitNotifications = {
  'git/status': gitStatusSchema,
  'git/remotes': gitRemotesSchema,
  'git/pullStarted': z.null(),
  'git/pullFinished': z.union([z.null(), z.object({ exitCode: z.literal(1), error: failure })]),
  'git/commitStarted': z.object({ shellId: z.string(), message: z.string(), paths: z.array(z.string()).optional() }),
  /** `error` is Boxyard's addition: why it failed, when git said so outside of the shell. */
  'git/commitFinished': z.object({ exitCode: z.union([z.literal(0), z.literal(1)]), error: failure.optional() }),
  'git/checkoutPrevented': z.object({ branch: z.string().nullable() }),
  'git/renameBranch': z.object({ oldBranch: z.string(), newBranch: z.string() }),
}
