'use strict'
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const folder = path.join(os.tmpdir(), `node-test-${process.pid}`)
module.exports = {
  path: folder,
  refresh() {
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
  },
  resolve: (...parts) => path.resolve(folder, ...parts),
  fileURL: (...parts) => pathToFileURL(path.resolve(folder, ...parts)),
  hasEnoughSpace: () => true,
}
