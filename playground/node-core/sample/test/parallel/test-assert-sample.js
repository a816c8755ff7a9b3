'use strict'
const common = require('../common')
const assert = require('node:assert')
const { test } = require('node:test')

test('what is not equal is told with both', () => {
  assert.throws(() => assert.strictEqual(1, 2), {
    code: 'ERR_ASSERTION',
    actual: 1,
    expected: 2,
    operator: 'strictEqual',
  })
  assert.throws(() => assert.deepStrictEqual({ a: [1] }, { a: [2] }), assert.AssertionError)
  assert.deepStrictEqual(new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]]))
  assert.notDeepStrictEqual([1, 2], [2, 1])
})
test(
  'promises that are rejected',
  common.mustCall(async () => {
    await assert.rejects(Promise.reject(new TypeError('no')), { name: 'TypeError', message: 'no' })
    await assert.doesNotReject(Promise.resolve(1))
  }),
)
