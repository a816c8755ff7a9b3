import { classify, RequestError } from '../api/RequestError.ts'

interface EditorErrorEntry {
  title: string
  description: string
  /** The button that helps: `recover` is Sign in for people who aren't signed in, Reload page for others. */
  action: 'recover' | 'restart' | 'reload' | 'none'
  details: boolean
}

/** The errors of the editor page: code, text, what to do next. */
export const editorErrors = {
  DEVBOX_NOT_FOUND: {
    title: 'Devbox not found',
    description:
      'No devbox is at this address, or it is not shared with you. Check the address, or ask its owner to share it.',
    action: 'recover',
    details: false,
  },
  SANDBOX_NOT_FOUND: {
    title: 'Sandbox not found',
    description:
      'No sandbox is at this address, or it is not shared with you. Check the address, or ask its owner to share it.',
    action: 'recover',
    details: false,
  },
  NO_WORKSPACE_ACCESS: {
    title: 'Unable to access this workspace',
    description: 'You are not a member of the workspace that this belongs to. Ask its admins to invite you.',
    action: 'recover',
    details: false,
  },
  ELIGIBLE_WORKSPACE_FOUND: {
    title: 'Permission denied',
    description: 'It belongs to a workspace that takes in everyone with an e-mail address like yours.',
    action: 'none',
    details: true,
  },
  REQUEST_WORKSPACE_ACCESS: {
    title: 'Request workspace access',
    description:
      'Could not access workspace. This repository is in one that you are not a member of. Its administrators can let you in, so that you work on its branches together.',
    action: 'none',
    details: false,
  },
  NO_WORKSPACE_FOR_BRANCH_CREATION: {
    title: 'Unable to create branch without a workspace',
    description:
      'None of your workspaces has this repository, and it can not be contributed to from outside. Import it into a workspace, or ask its owners for access.',
    action: 'recover',
    details: true,
  },
  REPOSITORY_NOT_FOUND: {
    title: 'Repository or branch not found',
    description:
      'The git host has nothing at this address that your account may see. Check the name, or ask its owners for access.',
    action: 'recover',
    details: true,
  },
  RESTRICTED_REPOSITORY: {
    title: 'Unable to access repository',
    description:
      'This repository is private and in none of your workspaces. Import it if you may write to it, or ask to be invited to the workspace that has it.',
    action: 'recover',
    details: true,
  },
  LIVE_SESSION_NOT_FOUND: {
    title: 'Page not found',
    description: 'This live session has ended, or the link is not whole. Ask whoever invited you for a new one.',
    action: 'recover',
    details: false,
  },
  WORKSPACE_FROZEN: {
    title: 'This workspace is frozen',
    description: 'Its machines can not be started. Ask its admins to look at its subscription and limits.',
    action: 'none',
    details: false,
  },
  SANDBOX_NOT_STARTED: {
    title: 'Unable to start the Sandbox',
    description: 'Its files could not be read. What was saved is safe, and what was typed is kept on this device.',
    action: 'reload',
    details: true,
  },
  MICROVM_NOT_STARTED: {
    title: 'Unable to start the microVM',
    description: 'The machine behind this devbox did not start.',
    action: 'restart',
    details: true,
  },
  RUNTIME_ERROR: {
    title: 'Exception occurred',
    description: 'The editor failed in your browser.',
    action: 'reload',
    details: true,
  },
  UNKNOWN_ERROR: {
    title: 'Something went wrong',
    description: 'The devbox could not be loaded.',
    action: 'recover',
    details: true,
  },
} as const satisfies Record<string, EditorErrorEntry>

export type EditorErrorCode = keyof typeof editorErrors

/** Which error of the page a failed load is. */
export function loadErrorCode(error: unknown, route: 'devbox' | 'sandbox'): EditorErrorCode {
  if (error instanceof RequestError && error.status === 403) return 'NO_WORKSPACE_ACCESS'
  switch (classify(error)) {
    case 'NOT_FOUND':
      return route === 'devbox' ? 'DEVBOX_NOT_FOUND' : 'SANDBOX_NOT_FOUND'
    case 'WORKSPACE_FROZEN':
      return 'WORKSPACE_FROZEN'
    default:
      return 'UNKNOWN_ERROR'
  }
}

/** The text of "Problem details and configurations". */
export function problemDetails(facts: {
  error: string
  version: string
  environment: string
  context: unknown
  event: string
  state: string
  branch: string | null
}): string {
  return JSON.stringify(facts, null, 2)
}
