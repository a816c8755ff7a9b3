'use strict'
const common = require('../common')
const assert = require('node:assert')
const crypto = require('node:crypto')

assert.strictEqual(crypto.createHash('md5').update('a').digest('hex'), '0cc175b9c0f1b6a831c399e269772661')
assert.throws(() => crypto.createHash('none'), /Digest method not supported/)
const key = crypto.createSecretKey(Buffer.alloc(32, 7))
assert.ok(key instanceof crypto.KeyObject && key.symmetricKeySize === 32)
assert.strictEqual(crypto.createHmac('sha256', key).update('a').digest().length, 32)
for (const name of ['aes-256-cbc', 'aes-256-ctr', 'aes-256-gcm']) {
  const iv = Buffer.alloc(name.endsWith('gcm') ? 12 : 16, 3)
  const cipher = crypto.createCipheriv(name, key, iv)
  const secret = Buffer.concat([cipher.update('secret words ', 'utf8'), cipher.update('of any length'), cipher.final()])
  const decipher = crypto.createDecipheriv(name, key, iv)
  if (name.endsWith('gcm')) decipher.setAuthTag(cipher.getAuthTag())
  assert.strictEqual(decipher.update(secret, null, 'utf8') + decipher.final('utf8'), 'secret words of any length')
}
assert.throws(() => crypto.createDecipheriv('aes-256-cbc', key, Buffer.alloc(3)), { code: 'ERR_CRYPTO_INVALID_IV' })
crypto.randomBytes(
  8,
  common.mustSucceed((bytes) => assert.strictEqual(bytes.length, 8)),
)
