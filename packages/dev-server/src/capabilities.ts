import type { Capabilities, MethodName } from '@boxyard/protocol'

type Flag = {
  [G in keyof Capabilities]-?: `${G}.${Extract<keyof NonNullable<Capabilities[G]>, string>}`
}[keyof Capabilities]

/** Each flag is announced when every method behind it has a handler, so the join answer can't promise what nothing serves. */
const methodsBehind: Partial<Record<Flag, readonly MethodName[]>> = {
  'client.status': ['client/list'],
  'client.list': ['client/list'],
  'file.status': ['file/open'],
  'file.openClose': ['file/open', 'file/close'],
  'file.openByPath': ['file/openByPath'],
  'file.save': ['file/save'],
  'file.ot': ['file/documentOperation'],
  'file.selection': ['file/documentSelection'],
  'fs.raw': [
    'fs/readFile',
    'fs/readdir',
    'fs/writeFile',
    'fs/stat',
    'fs/copy',
    'fs/rename',
    'fs/remove',
    'fs/mkdir',
    'fs/watch',
    'fs/unwatch',
  ],
  'fs.read': ['fs/read'],
  'fs.operations': ['fs/operation'],
  'fs.search': ['fs/search'],
  'fs.streamingSearch': ['fs/streamingSearch', 'fs/cancelStreamingSearch'],
  'fs.pathSearch': ['fs/pathSearch'],
  'git.status': ['git/status', 'git/remotes', 'git/remoteContent'],
  'git.targetDiff': ['git/targetDiff', 'git/diffStatus'],
  'git.pull': ['git/pull', 'git/resetLocalWithRemote'],
  'git.discard': ['git/discard'],
  'git.commit': ['git/commit', 'git/push', 'git/pushToRemote'],
  'git.renameBranch': ['git/renameBranch'],
  'language.list': ['language/list'],
  'language.pitcherLsp': ['language/lspRequest', 'language/lspServerResponse'],
  'channel.subscribe': ['channel/subscribe', 'channel/unsubscribe'],
  'channel.message': ['channel/message'],
  'command.list': ['command/list'],
  'command.execute': ['command/execute'],
  'system.containers': ['container/setup'],
  'port.list': ['port/list'],
  'port.status': ['port/list'],
  'setup.get': ['setup/get'],
  'setup.skip': ['setup/skip'],
  'setup.skipAll': ['setup/skipAll'],
  'setup.setStep': ['setup/setStep'],
  'setup.progress': ['setup/get'],
  'shell.io': ['shell/in'],
  'shell.list': ['shell/list'],
  'shell.openClose': ['shell/open', 'shell/close'],
  'shell.createTerminate': ['shell/create', 'shell/terminate'],
  'shell.restart': ['shell/restart'],
  'shell.resize': ['shell/resize'],
  'shell.status': ['shell/list'],
  'task.list': ['task/list'],
  'task.run': ['task/run'],
  'task.stop': ['task/stop'],
  'task.runCommand': ['task/runCommand'],
  'task.create': ['task/create'],
  'task.update': ['task/update'],
  'task.saveToConfig': ['task/saveToConfig'],
  'task.generateConfig': ['task/generateConfig'],
  'task.createSetupTasks': ['task/createSetupTasks'],
  'box.installDependencies': ['box/installDependencies'],
  'box.installedDependencies': ['box/installedDependencies'],
  'system.metrics': ['system/metrics'],
  'system.hibernation': ['system/hibernate'],
  'system.update': ['system/update'],
}

/** What a server with these methods can do. */
export function capabilitiesOf(served: ReadonlySet<string>): Capabilities {
  const capabilities: Record<string, Record<string, boolean>> = {}
  for (const [flag, methods] of Object.entries(methodsBehind)) {
    if (!methods.every((method) => served.has(method))) continue
    const [group = '', key = ''] = flag.split('.')
    capabilities[group] = { ...capabilities[group], [key]: true }
  }
  // A system group without metrics has no meaning on the wire.
  if (capabilities['system'] && !capabilities['system']['metrics']) capabilities['system']['metrics'] = false
  return capabilities
}
