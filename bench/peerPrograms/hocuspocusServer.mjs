// Serves Hocuspocus with a store of files: `node hocuspocusServer.mjs FOLDER STORE`, where FOLDER holds its packages. Prints its port.
import { createRequire } from 'node:module'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const [folder, store] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const { Server } = require('@hocuspocus/server')
const { Database } = require('@hocuspocus/extension-database')

await mkdir(store, { recursive: true })
const pathOf = (name) => join(store, `${name}.bin`)
const server = new Server({
  port: 0,
  address: '127.0.0.1',
  quiet: true,
  extensions: [
    new Database({
      fetch: ({ documentName }) => readFile(pathOf(documentName)).catch(() => null),
      store: ({ documentName, state }) => writeFile(pathOf(documentName), state),
    }),
  ],
})
await server.listen()
console.log(server.address.port)
