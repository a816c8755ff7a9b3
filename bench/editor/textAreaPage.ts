import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TextAreaPage {
  address: string
  stop(): void
}

/** A page of one text area and nothing else: what a key costs in this browser on this machine before any editor has a part in it. */
export async function startTextAreaPage(): Promise<TextAreaPage> {
  const page = '<!doctype html><title>Text area</title><textarea style="width: 100%; height: 90vh"></textarea>'
  const server = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end(page))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
