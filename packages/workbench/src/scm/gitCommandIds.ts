/** The commands of source control, as menus and buttons name them. */
export const gitCommands = {
  commit: 'boxyard.git.commit',
  commitAndPush: 'boxyard.git.commitAndPush',
  push: 'boxyard.git.push',
  pull: 'boxyard.git.pull',
  pullTarget: 'boxyard.git.pullTarget',
  openFile: 'boxyard.git.openFile',
  openChange: 'boxyard.git.openChange',
  discard: 'boxyard.git.discard',
  discardAll: 'boxyard.git.discardAll',
  revertChange: 'boxyard.git.revertChange',
  resetToRemote: 'boxyard.git.resetToRemote',
  returnToBranch: 'boxyard.git.returnToBranch',
  branchMenu: 'boxyard.git.branch',
  createPullRequest: 'boxyard.git.createPullRequest',
  createRepository: 'boxyard.git.createRepository',
  showPullRequest: 'boxyard.git.showPullRequest',
} as const
