// Lets `yes` run and reads it, in a process of its own: `tsx floodReader.ts INSTANCE`, the instance as JSON. Prints the id of the shell, then a line
// for each 100 MB it has read.
import { DevServerClient } from '@boxyard/dev-server-client'
import type { Instance } from '@boxyard/dev-server-client'
import { WebSocket } from 'ws'

const LINE = 100_000_000

const instance = JSON.parse(process.argv[2]!) as Instance
const client = new DevServerClient({
  appId: 'bench',
  resolveInstance: () => Promise.resolve(instance),
  createSocket: (url) => new WebSocket(url, { perMessageDeflate: false }),
})
await client.connect()
const session = await client.shells.create({ command: 'yes', type: 'COMMAND', size: { cols: 80, rows: 24 } })
console.log(session.shell.shellId)
let flowed = 0
session.onData((text) => {
  flowed += text.length
  if (flowed < LINE) return
  flowed -= LINE
  console.log('flowed')
})
