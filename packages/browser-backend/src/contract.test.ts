import type { DevServerClient } from '@boxyard/dev-server-client'
import { describeDevServer } from '../../dev-server-client/src/testing/devServerContract.ts'
import { WORKSPACE } from './backend/tree.ts'
import { MemoryStorage } from './testing/memoryStorage.ts'
import { startSandbox } from './testing/startSandbox.ts'

/** One page with several clients. */
describeDevServer('the worker of a page', async () => {
  const page = await startSandbox({ storage: new MemoryStorage({ 'a.txt': 'start\n' }) })
  const clients: DevServerClient[] = []
  return {
    workspacePath: WORKSPACE,
    async connect() {
      const client = await page.connect()
      clients.push(client)
      return client
    },
    async stop() {
      for (const client of clients) client.dispose()
      page.link.close()
    },
  }
})
