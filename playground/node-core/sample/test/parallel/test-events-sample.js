'use strict'
const common = require('../common')
const assert = require('node:assert')
const { EventEmitter, once, on, errorMonitor } = require('node:events')

const emitter = new EventEmitter()
emitter.once('a', common.mustCall())
emitter.emit('a')
assert.strictEqual(emitter.emit('a'), false)
assert.throws(() => emitter.emit('error', new Error('mine')), /mine/)
assert.throws(() => emitter.on('a', 1), { code: 'ERR_INVALID_ARG_TYPE' })
emitter.on(errorMonitor, common.mustCall())
emitter.once('error', common.mustCall())
emitter.emit('error', new Error('heard'))
once(emitter, 'b').then(common.mustCall((given) => assert.deepStrictEqual(given, [1, 2])))
emitter.emit('b', 1, 2)
;(async () => {
  setImmediate(() => ['x', 'y'].forEach((one) => emitter.emit('c', one)))
  const seen = []
  for await (const [one] of on(emitter, 'c')) if (seen.push(one) === 2) break
  assert.deepStrictEqual(seen, ['x', 'y'])
  assert.strictEqual(emitter.listenerCount('c'), 0)
})().then(common.mustCall())
