'use strict'
const common = require('../common')
const assert = require('node:assert')
const { channel, subscribe, tracingChannel, unsubscribe } = require('node:diagnostics_channel')

const hear = common.mustCall((message, name) => assert.deepStrictEqual([message, name], [{ a: 1 }, 'sample']))
subscribe('sample', hear)
channel('sample').publish({ a: 1 })
assert.ok(unsubscribe('sample', hear))
channel('sample').publish({ a: 2 })
const traced = tracingChannel('work')
traced.subscribe({ start: common.mustCall(), end: common.mustCall(({ result }) => assert.strictEqual(result, 3)) })
assert.strictEqual(
  traced.traceSync((a, b) => a + b, {}, null, 1, 2),
  3,
)
