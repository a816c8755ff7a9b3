/** The error catalogue of the packer. `status` is what a package manager in a box sees; `next` is what a person can do. */
export const packerErrors = {
  NOT_ALLOWED: {
    status: 403,
    message: 'This address is not allowed from a box',
    next: 'Ask the operator to allow the host.',
  },
  PRIVATE_ADDRESS: {
    status: 403,
    message: 'This address is on a private network',
    next: 'Only public addresses and the configured registries can be reached.',
  },
  BAD_REQUEST: {
    status: 400,
    message: 'This is not a request that a package registry understands',
    next: 'Check the package name.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'The registry in a box can only be read',
    next: 'Publish from your own machine.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'The registry does not know this package',
    next: 'Check the name and the version.',
  },
  UPSTREAM: {
    status: 502,
    message: 'The package registry did not answer',
    next: 'Try again; packages that were used before are still available.',
  },
  TOO_SLOW: {
    status: 504,
    message: 'The package registry took too long to answer',
    next: 'Try again; packages that were used before are still available.',
  },
  /** The texts of the four are part of the contract with clients of private registries. */
  REGISTRY_REFUSED: {
    status: 422,
    message: 'Could not fetch from registry. {detail}',
    next: 'An administrator of the workspace can look at its registry.',
  },
  ARCHIVE_REFUSED: {
    status: 422,
    message: 'Could not fetch {url}',
    next: 'An administrator of the workspace can look at its registry.',
  },
  REGISTRY_AWAY: {
    status: 502,
    message: 'Could not fetch from registry. {detail}',
    next: 'Try again; packages that were used before are still available.',
  },
  ARCHIVE_AWAY: {
    status: 502,
    message: 'Could not fetch {url}',
    next: 'Try again; packages that were used before are still available.',
  },
  INTEGRITY: {
    status: 502,
    message: 'The package does not match the checksum of the registry',
    next: 'Try again; the broken copy was thrown away.',
  },
  /** The texts of the two are part of the contract with clients. */
  VERSION_MISSING: {
    status: 422,
    message: "Version '{range}' is not available on the registry for '{name}'",
    next: 'Choose a version that exists.',
  },
  NO_MATCHING_VERSION: {
    status: 422,
    message: "Can't find version that satisfies {name}@{range}",
    next: 'Choose a range that a published version is in.',
  },
  NOT_DECLARED: {
    status: 422,
    message: 'This package is imported but not among the dependencies',
    next: 'Add it to package.json.',
  },
  BUNDLE_FAILED: {
    status: 422,
    message: 'The dependencies can not be made ready for the browser',
    next: 'Read what is said about the package; it may need a machine.',
  },
  UNSAFE_ARCHIVE: {
    status: 422,
    message: 'The archive of this package is not one that can be unpacked safely',
    next: 'Use another version of the package.',
  },
  NOT_PLAIN: {
    status: 422,
    message: 'Only npm itself can install this lockfile',
    next: 'Nothing needs to be done: npm installs it as always.',
  },
  TREE_MISSING: {
    status: 404,
    message: 'These packages are not laid out yet',
    next: 'Nothing needs to be done: npm installs them, and the next install of the same lockfile is fast.',
  },
  TOO_LARGE: { status: 502, message: 'The answer is larger than allowed', next: 'Use a smaller package.' },
} as const

export type PackerErrorCode = keyof typeof packerErrors

/** Said of a registry that gave no answer: another try may get one, and what was known before is still true enough. */
const AWAY: ReadonlySet<PackerErrorCode> = new Set(['UPSTREAM', 'TOO_SLOW', 'REGISTRY_AWAY', 'ARCHIVE_AWAY'])

export class PackerError extends Error {
  readonly code: PackerErrorCode

  /** A text is set behind the message of the catalogue; a record fills its places. */
  constructor(code: PackerErrorCode, detail?: string | Readonly<Record<string, string>>, options?: ErrorOptions) {
    super(describe(packerErrors[code].message, detail), options)
    this.name = 'PackerError'
    this.code = code
  }

  get status(): number {
    return packerErrors[this.code].status
  }
}

/** Whether a registry gave no answer, which is no answer about the package either. */
export function isRegistryAway(error: unknown): boolean {
  return error instanceof PackerError && AWAY.has(error.code)
}

/** Whether an answer came too slowly to go on with, in whatever words that was told: another try would take as long. */
export function isTooSlow(error: unknown): boolean {
  if (!(error instanceof PackerError)) return false
  return error.code === 'TOO_SLOW' || isTooSlow(error.cause)
}

function describe(message: string, detail: string | Readonly<Record<string, string>> | undefined): string {
  if (typeof detail === 'object') return message.replace(/\{(\w+)\}/g, (place, key: string) => detail[key] ?? place)
  return detail ? `${message}: ${detail}` : message
}
