const PREFIX = '/vscode'

/** Whether it is the address of an editor without anything of ours around it. */
export function isBarePath(path: string): boolean {
  return path.startsWith(`${PREFIX}/`)
}

/** The address of the same editor without anything around it: of a branch below its own address, of anything else below its id. */
export function barePath(path: string): string {
  return PREFIX + path.replace(/^\/(?:devbox|sandbox)(?=\/)/, '')
}

/** The address of a branch, without or with what is around it. */
export function branchPathOf(path: string): string {
  return isBarePath(path) ? path.slice(PREFIX.length) : path
}

/** The box that the address of an editor names by its id. */
export function boxOfPath(path: string): string | undefined {
  return /^\/(?:devbox|sandbox|vscode(?!\/github\/))\/([^/]+)/.exec(path)?.[1]
}
