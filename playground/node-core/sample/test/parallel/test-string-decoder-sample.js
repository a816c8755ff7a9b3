'use strict'
require('../common')
const assert = require('node:assert')
const { StringDecoder } = require('node:string_decoder')

const decoder = new StringDecoder('utf8')
const bytes = Buffer.from('€')
assert.strictEqual(decoder.write(bytes.subarray(0, 1)), '')
assert.strictEqual(decoder.write(bytes.subarray(1)), '€')
assert.strictEqual(decoder.end(bytes.subarray(0, 2)), '\ufffd')
