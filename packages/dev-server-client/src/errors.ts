/**
 * Everything that goes wrong on this side of the wire. What the dev server refuses is a ProtocolError with its own catalogue.
 * `message` may have `{name}` in it; `next` is what the caller or the person does about it.
 */
export const clientErrors = {
  REQUEST_TIMED_OUT: {
    message: 'Pitcher message {method} timed out',
    next: 'The dev server may still have done it. Look at the present state before you try again.',
  },
  TIMED_OUT: { message: 'Timed out after {ms}ms', next: 'The next try follows by itself; afterwards, reconnect.' },
  NOT_ABLE_TO_SEND: {
    message: 'Not able to send message in {state} state',
    next: 'Wait for the connection and send it again with present values.',
  },
  INSTANCE_CHANGE_REQUIRED: {
    message: 'Instance change required',
    next: 'Wait for the change; edits come back with it. Try again if it fails.',
  },
  CAN_NOT_CHANGE_INSTANCE: {
    message: 'You can not change instance when: {state}',
    next: 'Wait for the connection, then try again.',
  },
  NO_INSTANCE: {
    message: 'You are trying to change Pitcher instance, but there is no instance.',
    next: 'Begin the change anew.',
  },
  COULD_NOT_SEND: {
    message: 'Could not send message in {state} state',
    next: 'Wait for the connection and send it again with present values.',
  },
  REQUIRES_OPEN_SOCKET: { message: 'Requires an OPEN websocket connection', next: 'Wait for the connection.' },
  CLOSED_BEFORE_OPENED: {
    message: 'Connection closed before it was opened',
    next: 'The next try follows by itself; afterwards, reconnect.',
  },
  CONNECTION_LOST: {
    message: 'The connection was lost before {method} was answered',
    next: 'The dev server may have done it. Look at the present state after the reconnect before you try again.',
  },
  ATTEMPTING_RECONNECT: {
    message: 'Attempting reconnect',
    next: 'The dev server may have done it. Look at the present state after the reconnect before you try again.',
  },
  ALREADY_RECONNECTING: { message: 'Already reconnecting', next: 'Wait for the reconnect under way.' },
  CHANNEL_DISPOSED: { message: 'Channel is disposed', next: 'Create a new client.' },
  UNIDENTIFIED_MESSAGE: {
    message: 'Unable to identify message type',
    next: 'The server does not speak the dev-server protocol. Check its address.',
  },
  PONG_NOT_DETECTED: {
    message: 'Pong response not detected',
    next: 'Check the network. A reconnect follows on focus.',
  },
  INVALID_RESULT: {
    message: 'The dev server answered {method} with something else than expected: {detail}',
    next: 'Update the dev server or the client, so that both speak one protocol version.',
  },
  WORKSPACE_FROZEN: {
    message: 'This workspace is frozen',
    next: 'Resolve the billing of the workspace, then connect again.',
  },
  WAITING_FOR_PORT_TIMED_OUT: {
    message: 'Waiting for port timed out',
    next: 'See the output of the task that should listen on the port.',
  },
  CONFIG_NOT_GENERATED: {
    message: 'Config file was not generated',
    next: 'Look for .codesandbox/tasks.json in the files, and try again if it is not there.',
  },
  NO_TASK_RUNS: {
    message: 'Cannot find the task running {command}',
    next: 'See the list of tasks; it may have ended.',
  },
  FILE_OUT_OF_SYNC: {
    message: 'The file {path} is out of sync',
    next: 'Choose whether to keep the text of the editor or the one of the dev server.',
  },
  SEARCH_INTERRUPTED: {
    message: 'The connection was lost during the search',
    next: 'Search again when connected.',
  },
  NAME_EXISTS: {
    message: 'An entry named {name} exists in that folder already',
    next: 'Choose another name.',
  },
  COMMIT_FAILED: {
    message: 'The commit was not finished. {why}',
    next: 'Your changes are in the files still. Look at the source control view and try again.',
  },
  NO_SUCH_ENTRY: { message: 'The file tree has no entry {id}', next: 'Read the file tree again.' },
} as const

export type ClientErrorCode = keyof typeof clientErrors

export class DevServerClientError extends Error {
  override readonly name: string = 'DevServerClientError'
  readonly code: ClientErrorCode

  constructor(code: ClientErrorCode, values: Record<string, string | number> = {}, options?: ErrorOptions) {
    super(
      clientErrors[code].message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
      options,
    )
    this.code = code
  }

  get next(): string {
    return clientErrors[this.code].next
  }
}

/** What resolveInstance throws when the host refuses for good (HTTP 402, type WORKSPACE_FROZEN): no further tries follow. */
export class WorkspaceFrozenError extends DevServerClientError {
  override readonly name = 'WorkspaceFrozenError'

  constructor(options?: ErrorOptions) {
    super('WORKSPACE_FROZEN', {}, options)
  }
}
