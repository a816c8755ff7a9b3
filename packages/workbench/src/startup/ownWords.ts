/** Texts of the workbench that are said differently here, by their numbers in the version that is pinned. */
export const ownWords: Readonly<Record<number, string>> = {
  3700: 'This file does not exist anymore',
  10884: 'This file does not exist anymore',
}

declare global {
  /** Where the workbench looks for each of its texts before it takes its own. */
  var _VSCODE_NLS_MESSAGES: string[]
}

export function useOwnWords(): void {
  globalThis._VSCODE_NLS_MESSAGES = Object.assign([], globalThis._VSCODE_NLS_MESSAGES, ownWords)
}
