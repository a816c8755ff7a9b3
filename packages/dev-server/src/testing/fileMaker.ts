import { randomUUID } from 'node:crypto'
import { NODE_FILE, ProtocolError, ROOT_ID, type TreeNode } from '@boxyard/protocol'
import type { TestClient } from './testClient.ts'

/** Somebody who makes one file after the other and remembers which were acknowledged. */
export class FileMaker {
  /** Names by id. */
  readonly made = new Map<string, string>()
  #count = 0

  /** Makes files until the connection ends. */
  async make(client: TestClient): Promise<void> {
    for (;;) {
      this.#count += 1
      const [id, name] = [randomUUID(), `made-${this.#count}.txt`]
      const newEntry = { id, type: NODE_FILE, name } as const
      try {
        const { code } = await client.call('fs/operation', {
          operation: { type: 'create', parentId: ROOT_ID, newEntry },
        })
        if (code !== 0) throw new Error(`${name} was ignored`)
      } catch (error) {
        if (error instanceof ProtocolError || client.socket.readyState === client.socket.OPEN) throw error
        return
      }
      this.made.set(id, name)
    }
  }

  /** What is wrong with a tree: acknowledged files that are not there, or not once, or under another id. */
  mistakesIn(nodes: readonly TreeNode[]): string[] {
    const mistakes: string[] = []
    const byId = new Map(nodes.map((node) => [node.id, node]))
    for (const [id, name] of this.made) if (byId.get(id)?.name !== name) mistakes.push(`${name} is lost`)
    const names = nodes.map(({ name }) => name).filter((name) => name?.startsWith('made-'))
    if (new Set(names).size !== names.length) mistakes.push('a file is there twice')
    return mistakes
  }
}
