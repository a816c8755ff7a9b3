'use strict'
const common = require('../common')
const assert = require('node:assert')
const { pipeline, PassThrough, Readable, Transform, Writable } = require('node:stream')

const seen = []
pipeline(
  Readable.from(['a', 'b']),
  new Transform({ transform: (chunk, encoding, done) => done(null, String(chunk).toUpperCase()) }),
  new Writable({
    write(chunk, encoding, done) {
      seen.push(String(chunk))
      done()
    },
  }),
  common.mustSucceed(() => assert.deepStrictEqual(seen, ['A', 'B'])),
)
new PassThrough()
  .on(
    'error',
    common.mustCall((error) => assert.strictEqual(error.message, 'mine')),
  )
  .destroy(new Error('mine'))
