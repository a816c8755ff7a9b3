import type { KnownFault } from '../support/axeFaults.ts'

/** What axe finds in widgets of VS Code, which we can't change. */
export const faultsOfTheWorkbench: readonly KnownFault[] = []
