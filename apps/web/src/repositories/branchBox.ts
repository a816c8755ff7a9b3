const PREFIX = 'boxyard.branch-box.'

/** Which box a branch had when its address was opened here last, so that its text can be shown before the server was asked. */
export function branchBoxOf(storage: Pick<Storage, 'getItem'>, path: string): string | undefined {
  try {
    return storage.getItem(PREFIX + path.replace(/\/$/, '')) ?? undefined
  } catch {
    // Storage that is closed to the page remembers nothing.
    return undefined
  }
}

export function rememberBranchBox(storage: Pick<Storage, 'setItem'>, path: string, id: string): void {
  try {
    storage.setItem(PREFIX + path, id)
  } catch {
    // The text comes a little later then.
  }
}
