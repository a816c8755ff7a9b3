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
  INTEGRITY: {
    status: 502,
    message: 'The package does not match the checksum of the registry',
    next: 'Try again; the broken copy was thrown away.',
  },
  TOO_LARGE: { status: 502, message: 'The answer is larger than allowed', next: 'Use a smaller package.' },
} as const

export type PackerErrorCode = keyof typeof packerErrors

export class PackerError extends Error {
  readonly code: PackerErrorCode

  constructor(code: PackerErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail ? `${packerErrors[code].message}: ${detail}` : packerErrors[code].message, options)
    this.name = 'PackerError'
    this.code = code
  }

  get status(): number {
    return packerErrors[this.code].status
  }
}
