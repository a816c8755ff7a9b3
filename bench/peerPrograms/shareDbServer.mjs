// Serves ShareDB on a unix socket: `node shareDbServer.mjs FOLDER SOCKET`, where FOLDER holds its packages.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, socket] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const ShareDB = require('sharedb')
const { type } = require('ot-text-unicode')
const { WebSocketServer } = require('ws')
const WebSocketJSONStream = require('@teamwork/websocket-json-stream')

ShareDB.types.register(type)
const backend = new ShareDB()
const server = createServer()
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (webSocket) =>
  backend.listen(new WebSocketJSONStream(webSocket)),
)
server.listen(socket)
