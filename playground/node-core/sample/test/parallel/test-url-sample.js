'use strict'
require('../common')
const assert = require('node:assert')
const url = require('node:url')

assert.strictEqual(url.parse('http://a:b@host:8080/p?q=1#h').auth, 'a:b')
assert.strictEqual(url.fileURLToPath('file:///a%20b'), '/a b')
assert.strictEqual(url.pathToFileURL('/a b#').href, 'file:///a%20b%23')
assert.throws(() => url.fileURLToPath('http://a'), { code: 'ERR_INVALID_URL_SCHEME' })
assert.strictEqual(url.resolve('/one/two', 'three'), '/one/three')
