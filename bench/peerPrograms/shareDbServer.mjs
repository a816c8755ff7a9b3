// Serves ShareDB on a unix socket: `node shareDbServer.mjs FOLDER SOCKET [LOG]`, where FOLDER holds its packages. Without a file for the log
// nothing it accepts outlives it; with one, every operation is on disk before it is accepted.
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, socket, log] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const ShareDB = require('sharedb')
const { type } = require('ot-text-unicode')
const { WebSocketServer } = require('ws')
const WebSocketJSONStream = require('@teamwork/websocket-json-stream')

ShareDB.types.register(type)

/** ShareDB's own store in memory with a log in front: the least that a durable one has to do. What arrives during a write shares the next. */
class LoggedDB extends ShareDB.MemoryDB {
  #file
  #waiting = []
  #isWriting = false

  constructor(file) {
    super()
    this.#file = file
  }

  commit(collection, id, operation, snapshot, options, callback) {
    super.commit(collection, id, operation, snapshot, options, (error, succeeded) => {
      if (error || !succeeded) return callback(error, succeeded)
      this.#waiting.push({ line: `${JSON.stringify([collection, id, operation])}\n`, callback })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write() {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      let failure = null
      try {
        await this.#file.appendFile(batch.map(({ line }) => line).join(''))
        await this.#file.datasync()
      } catch (error) {
        failure = error
      }
      for (const { callback } of batch) callback(failure, failure === null)
    }
    this.#isWriting = false
  }
}

const backend = new ShareDB(log === undefined ? {} : { db: new LoggedDB(await open(log, 'a')) })
const server = createServer()
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (webSocket) =>
  backend.listen(new WebSocketJSONStream(webSocket)),
)
server.listen(socket)
