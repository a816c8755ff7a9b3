'use strict'
const common = require('../common')
const assert = require('node:assert')
const zlib = require('node:zlib')

const text = 'again and '.repeat(1000)
assert.strictEqual(zlib.gunzipSync(zlib.gzipSync(text)).toString(), text)
assert.throws(() => zlib.inflateSync(Buffer.from('no')), { code: 'Z_DATA_ERROR' })
zlib.deflate(
  text,
  common.mustSucceed((packed) => {
    assert.ok(packed.length < 100)
    zlib.inflate(
      packed,
      common.mustSucceed((bytes) => assert.strictEqual(String(bytes), text)),
    )
  }),
)
