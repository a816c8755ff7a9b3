'use strict'
require('../common')
const assert = require('node:assert')
const qs = require('node:querystring')

assert.deepStrictEqual({ ...qs.parse('a=1&b=%20&a=2') }, { a: ['1', '2'], b: ' ' })
assert.strictEqual(qs.stringify({ a: [1, 2], b: 'ü' }), 'a=1&a=2&b=%C3%BC')
