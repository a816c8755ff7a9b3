// Becomes dist/main.js: runs the bundle beside it, from the code that was compiled at the build where this Node takes it. Compiling anew would
// be a good part of the time until a box answers. `node main.js --compile` writes that code.
'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { wrap } = require('node:module')
const { Script } = require('node:vm')

const filename = join(__dirname, 'dev-server.cjs')
const compiled = join(__dirname, 'dev-server.compiled')

const isCompiling = process.argv[2] === '--compile'
// What another Node has compiled, or a damaged file, is refused by V8, and then it is compiled as ever.
const cachedData = isCompiling ? undefined : readIfThere(compiled)
// The bundle is ASCII.
const script = new Script(wrap(readFileSync(filename, 'latin1')), { filename, cachedData })
const bundle = { exports: {} }
script.runInThisContext()(bundle.exports, require, bundle, filename, __dirname)
// The parts that were needed to load the bundle are compiled by now, and they go into the file with it.
if (isCompiling) writeFileSync(compiled, script.createCachedData())
else bundle.exports.run()

function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
