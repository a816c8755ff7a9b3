'use strict'
require('../common')
const assert = require('node:assert')
const path = require('node:path')

assert.strictEqual(path.join('/a', '../b', './c'), '/b/c')
assert.strictEqual(path.win32.join('C:\\a', '..', 'b'), 'C:\\b')
assert.strictEqual(path.win32.basename('C:\\a\\b.txt', '.txt'), 'b')
assert.deepStrictEqual([path.sep, path.win32.sep, path.win32.delimiter], ['/', '\\', ';'])
assert.ok(path.win32.isAbsolute('D:/x') && !path.posix.isAbsolute('D:/x'))
assert.strictEqual(path.win32.posix, path.posix)
assert.throws(() => path.join(1), { code: 'ERR_INVALID_ARG_TYPE' })
