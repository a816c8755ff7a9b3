// Becomes dist/main.js: runs the bundle beside it, from the code that was compiled at the build where this Node takes it. Compiling anew would
// be a good part of the time until a box answers. `node main.js --compile` runs it too, and writes that code when its input ends.
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
bundle.exports.run()
if (isCompiling) {
  // What was needed to come this far, and for whoever visited meanwhile, is compiled by now, and it goes into the file.
  process.stdin.resume().on('end', () => {
    writeFileSync(compiled, script.createCachedData())
    process.exit(0)
  })
}

function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
