import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeDevServer } from './testing/devServerContract.ts'
import { RealDevServer } from './testing/realDevServer.ts'

describeDevServer('the dev server of a box', async () => {
  const server = await RealDevServer.start()
  await writeFile(join(server.workspace, 'a.txt'), 'start\n')
  return {
    workspacePath: server.workspace,
    connect: async (username) => (await server.connect(username)).client,
    stop: () => server.stop(),
  }
})
