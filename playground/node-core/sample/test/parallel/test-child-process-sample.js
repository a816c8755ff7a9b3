'use strict'
const common = require('../common')
const assert = require('node:assert')
const { exec, fork, spawn } = require('node:child_process')

if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    process.send({ twice: message.once * 2 })
    process.disconnect()
  })
  return
}
const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'])
let said = ''
child.stdout.setEncoding('utf8').on('data', (text) => (said += text))
child.stdin.end('hello')
child.on(
  'close',
  common.mustCall((code, signal) => assert.deepStrictEqual([said, code, signal], ['hello', 0, null])),
)
exec(
  'echo one && exit 3',
  common.mustCall((error, stdout) => assert.deepStrictEqual([error.code, stdout], [3, 'one\n'])),
)
const forked = fork(__filename, ['child'])
forked.on(
  'message',
  common.mustCall((message) => assert.deepStrictEqual(message, { twice: 42 })),
)
forked.send({ once: 21 })
forked.on('exit', common.mustCall())
