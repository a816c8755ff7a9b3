'use strict'
const common = require('../common')
const assert = require('node:assert')
const util = require('node:util')

assert.strictEqual(util.inspect({ a: [1, new Map([[1, 'x']])] }), "{ a: [ 1, Map(1) { 1 => 'x' } ] }")
assert.strictEqual(util.format('%s %d %j', 'a', 1, { b: 2 }), 'a 1 {"b":2}')
assert.ok(util.types.isPromise(Promise.resolve()) && util.isDeepStrictEqual([1], [1]))
util
  .promisify((value, done) => done(null, value))(3)
  .then(common.mustCall((value) => assert.strictEqual(value, 3)))
