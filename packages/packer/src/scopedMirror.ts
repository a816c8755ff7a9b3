import type { RegistryMirror } from './registryMirror.ts'

/** What versions of packages there are, and where their archives come from. */
export type PackageSource = Pick<RegistryMirror, 'index' | 'recentIndex' | 'tarball'>

export interface PrivateScopes {
  /** Whether only packages of `enabledScopes` come from the private registry; otherwise all do. */
  limitToScopes: boolean
  /** For example `@company`. */
  enabledScopes: readonly string[]
}

/**
 * Whether a package of this name comes from the private registry. Declarations made for a private package (`@types/company__box`) do as well:
 * to ask elsewhere would tell its name.
 */
export function isPrivatePackage(name: string, { limitToScopes, enabledScopes }: PrivateScopes): boolean {
  if (!limitToScopes) return true
  const asked = name.toLowerCase()
  return enabledScopes.some((enabled) => {
    const scope = enabled.toLowerCase()
    return asked.startsWith(`${scope}/`) || asked.startsWith(`@types/${scope.slice(1)}__`)
  })
}

/** Packages of the scopes of a private registry come from there and from nowhere else; all others from the usual one. */
export function scopedMirror(usual: PackageSource, own: PackageSource, scopes: PrivateScopes): PackageSource {
  const sourceOf = (name: string) => (isPrivatePackage(name, scopes) ? own : usual)
  return {
    index: (name) => sourceOf(name).index(name),
    recentIndex: (name) => sourceOf(name).recentIndex(name),
    tarball: (name, file) => sourceOf(name).tarball(name, file),
  }
}
