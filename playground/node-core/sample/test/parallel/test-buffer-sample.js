'use strict'
require('../common')
const assert = require('node:assert')

assert.strictEqual(Buffer.from('añ€😀').toString('base64url'), 'YcOx4oKs8J-YgA')
assert.strictEqual(Buffer.from('ff00', 'hex').readUInt16BE(0), 0xff00)
assert.deepStrictEqual(Buffer.concat([Buffer.from('a'), Buffer.alloc(2, 1)]).toJSON().data, [97, 1, 1])
assert.strictEqual(Buffer.byteLength('€'), 3)
assert.ok(Buffer.from('abc').equals(new Uint8Array([97, 98, 99])))
assert.strictEqual(Buffer.compare(Buffer.from('a'), Buffer.from('b')), -1)
assert.strictEqual(Buffer.from('abcabc').lastIndexOf('b'), 4)
