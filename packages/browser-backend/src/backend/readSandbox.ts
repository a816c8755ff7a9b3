import { restStorage } from './restStorage.ts'
import { SandboxTree } from './tree.ts'

/** The saved files of a sandbox by path, for a page that only shows it. `answer`: what the server said at the address. */
export async function readSandbox({
  address,
  answer,
}: {
  address: string
  answer?: { status: number; body: string }
}): Promise<Map<string, string | Uint8Array>> {
  const send = async (asked: string, init?: RequestInit) => {
    if (asked !== address || !answer) return fetch(asked, init)
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } })
  }
  const storage = restStorage(address, { send: (asked, init) => send(String(asked), init) })
  const tree = new SandboxTree(await storage.load())
  const files = new Map<string, string | Uint8Array>()
  await Promise.all(
    [...tree.files()].map(async (node) => {
      if (!node.isBinary) return void files.set(tree.pathOf(node), node.code)
      // One that is not there is missed by the page that uses it, which says so.
      const content = await storage.download(node.code).catch(() => null)
      if (content) files.set(tree.pathOf(node), content)
    }),
  )
  return files
}
