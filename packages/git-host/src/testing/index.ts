export { GitClient } from './gitClient.ts'
export { describeGitHost } from './gitHostContract.ts'
export type { ContractHost } from './gitHostContract.ts'
