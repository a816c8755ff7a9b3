'use strict'
const common = require('../common')
const assert = require('node:assert')

const order = []
setTimeout(() => order.push('timer'), 1)
setImmediate(() => order.push('immediate'))
process.nextTick(() => order.push('tick'))
Promise.resolve().then(() => order.push('promise'))
setTimeout(
  common.mustCall(() => assert.deepStrictEqual(order.toSorted(), ['immediate', 'promise', 'tick', 'timer'])),
  50,
)
const gone = setTimeout(common.mustNotCall(), 1)
clearTimeout(gone)
setInterval(common.mustNotCall(), 1_000_000).unref()
assert.throws(() => setTimeout('text'), { code: 'ERR_INVALID_ARG_TYPE' })
