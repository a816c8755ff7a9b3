import { restStorage } from './restStorage.ts'
import { SandboxTree } from './tree.ts'

/** The saved files of a sandbox by path, for a page that only shows it. */
export async function readSandbox(address: string): Promise<Map<string, string | Uint8Array>> {
  const storage = restStorage(address)
  const tree = new SandboxTree(await storage.load())
  const files = new Map<string, string | Uint8Array>()
  await Promise.all(
    [...tree.files()].map(async (node) => {
      files.set(tree.pathOf(node), node.isBinary ? await storage.download(node.code) : node.code)
    }),
  )
  return files
}
