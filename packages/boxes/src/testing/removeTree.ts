import { tryCommand } from '../runCommand.ts'

/** Removes what a test made, also folders that its user may not open as they are. */
export async function removeTree(tree: string): Promise<void> {
  await tryCommand('chmod', ['-R', 'u+rwX', '--', tree])
  await tryCommand('rm', ['-rf', '--', tree])
}
