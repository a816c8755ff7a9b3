/** The protocol version this package speaks, as announced in `client/join`. */
export const PROTOCOL_VERSION = '0.367.10'

/** The dev server's own version. Clients compare it with the feature gates below, so it is never lower than the last of them. */
export const DEV_SERVER_VERSION = '0.400.0'

/** The lowest server version a client may expect each feature of. */
export const featureGates = {
  SANDBOX_TO_REPOSITORY: '0.209.9',
  GIT_BRANCH_OUT_OF_SYNC: '0.209.11',
  VM_METRICS: '0.212.0',
  GIT_LOGS_ON_PROTECTED_BRANCHES: '0.233.0',
  REMOTE_BRANCH_PRESENCE_DETECTION: '0.242.0',
  SET_BRANCH_PROTECTION: '0.248.4',
  SHELL_RENAME: '0.254.0',
  SEARCH_CASE_SENSITIVITY: '0.308.6',
  SETUP_ENV_DEVTOOL: '0.313.0',
} as const
export type Feature = keyof typeof featureGates

/** Whether a server of this version has a feature. A version that can't be read has none: nothing is known of such a server. */
export function hasFeature(version: string, feature: Feature): boolean {
  return numbersOf(version) !== undefined && !isOlderVersion(version, featureGates[feature])
}

/** Whether a version is older than another one. Of those that can't be read nothing is known, and nothing is said. */
export function isOlderVersion(version: string, other: string): boolean {
  const is = numbersOf(version)
  const than = numbersOf(other)
  if (!is || !than) return false
  const differs = than.findIndex((number, index) => number !== is[index])
  return differs !== -1 && is[differs]! < than[differs]!
}

/** Major, minor and patch. What follows a dash or a plus says nothing of features. */
function numbersOf(version: string): number[] | undefined {
  const parts = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version)
  return parts?.slice(1).map(Number)
}
