/**
 * The error catalogue of the dev-server protocol. `code` travels on the wire; `message` is what a person sees when the
 * raiser has nothing more precise to say; `next` is what to do about it.
 */
export const protocolErrors = {
  CRITICAL_ERROR: {
    code: 0,
    message: 'The dev server failed to handle this request',
    next: 'Reload the page. Saved and acknowledged work is safe.',
  },
  FEATURE_UNAVAILABLE: {
    code: 1,
    message: 'This dev server does not offer that feature',
    next: 'Check the capabilities of the join answer before calling.',
  },
  NO_ACCESS: {
    code: 2,
    message: 'You do not have access to do this',
    next: 'Ask the owner for write access, or fork the project.',
  },
  RATE_LIMIT: { code: 3, message: 'Too many requests', next: 'Wait a moment and try again.' },
  /** The code that JSON-RPC gives to the same case; the published list has none of its own. */
  INVALID_PARAMS: {
    code: -32_602,
    message: 'The request does not have the expected shape',
    next: 'See the message for the parameter that is wrong.',
  },
  INVALID_ID: { code: 100, message: 'Unknown id', next: 'Read the file tree again; the file may have been removed.' },
  INVALID_PATH: { code: 101, message: 'Invalid path', next: 'Use a path inside the workspace.' },
  RAWFS_ERROR: {
    code: 102,
    message: 'The file system refused the operation',
    next: 'See errno in the data of the error.',
  },
  SHELL_NOT_ACCESSIBLE: { code: 200, message: 'This shell is not accessible', next: 'Open a terminal of your own.' },
  SHELL_CLOSED: { code: 201, message: 'This shell is closed', next: 'Create a new terminal.' },
  SHELL_NOT_FOUND: { code: 204, message: 'This shell does not exist anymore', next: 'Create a new terminal.' },
  MODEL_NOT_FOUND: { code: 300, message: 'Unknown language model', next: 'Choose one of the configured models.' },
  GIT_OPERATION_IN_PROGRESS: {
    code: 400,
    message: 'Another git operation is in progress, try again later.',
    next: 'Wait until it ends and try again.',
  },
  GIT_REMOTE_FILE_NOT_FOUND: {
    code: 404,
    message: 'The file does not exist at that revision',
    next: 'Choose another revision.',
  },
  GIT_FETCH_FAIL: {
    code: 410,
    message: 'Fetching from the remote failed',
    next: 'Check the remote and your credentials.',
  },
  GIT_PULL_CONFLICT: { code: 420, message: 'Pulling led to conflicts', next: 'Resolve the conflicts and commit.' },
  GIT_RESET_LOCAL_REMOTE_ERROR: {
    code: 430,
    message: 'Resetting to the remote failed',
    next: 'See the message, then try again.',
  },
  GIT_PUSH_FAIL: { code: 440, message: 'Pushing failed', next: 'Pull first, or check your access to the remote.' },
  GIT_RESET_CHECKOUT_INITIAL_BRANCH_FAIL: {
    code: 450,
    message: 'Checking out the initial branch failed',
    next: 'See the message, then try again.',
  },
  GIT_PULL_FAIL: { code: 460, message: 'Pulling failed', next: 'See the message, then try again.' },
  GIT_TRANSPOSE_LINES_FAIL: {
    code: 470,
    message: 'Mapping lines between revisions failed',
    next: 'Reload the review.',
  },
  CHANNEL_NOT_FOUND: { code: 500, message: 'Unknown channel', next: 'Subscribe to the channel first.' },
  CONFIG_FILE_ALREADY_EXISTS: {
    code: 600,
    message: 'The task configuration exists already',
    next: 'Edit .codesandbox/tasks.json.',
  },
  TASK_NOT_FOUND: { code: 601, message: 'Unknown task', next: 'List the tasks again.' },
  COMMAND_ALREADY_CONFIGURED: {
    code: 602,
    message: 'A task with this command exists already',
    next: 'Run the existing task.',
  },
  COMMAND_NOT_FOUND: { code: 704, message: 'Unknown command', next: 'List the commands again.' },
  AI_NOT_AVAILABLE: {
    code: 800,
    message: 'AI is not configured',
    next: 'Set a model provider in the server configuration.',
  },
  PROMPT_TOO_BIG: { code: 801, message: 'The prompt is too long', next: 'Send less context.' },
  FAILED_TO_RESPOND: { code: 802, message: 'The model did not respond', next: 'Try again.' },
  AI_TOO_FREQUENT_REQUESTS: {
    code: 803,
    message: 'Too many requests to the model',
    next: 'Wait a moment and try again.',
  },
  AI_CHAT_NOT_FOUND: { code: 814, message: 'Chat not found', next: 'Start a new chat.' },
  BOX_NOT_AVAILABLE: { code: 900, message: 'The box is not available', next: 'Start the box and try again.' },
} as const

export type ProtocolErrorName = keyof typeof protocolErrors

const nameByCode = new Map<number, ProtocolErrorName>(
  Object.entries(protocolErrors).map(([name, { code }]) => [code, name as ProtocolErrorName]),
)

/** An error as it travels: `data` is free-form, except that RAWFS_ERROR always carries `{ errno: number | null }`. */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(name: ProtocolErrorName | number, message?: string, data?: unknown) {
    const code = typeof name === 'number' ? name : protocolErrors[name].code
    const known = nameByCode.get(code)
    super(message ?? (known ? protocolErrors[known].message : `Error ${code}`))
    this.name = 'ProtocolError'
    this.code = code
    this.data = data
  }

  /** The name in the catalogue, or undefined for a code of a newer server or of a language server. */
  get codeName(): ProtocolErrorName | undefined {
    return nameByCode.get(this.code)
  }
}

/** A file-system failure. `errno` is positive: 2 ENOENT, 13 EACCES, 17 EEXIST, 20 ENOTDIR, 21 EISDIR, 28 ENOSPC, 39 ENOTEMPTY. */
export function rawFsError(errno: number | null, message: string): ProtocolError {
  return new ProtocolError('RAWFS_ERROR', message, { errno })
}
