'use strict'
const common = require('../common')
const assert = require('node:assert')
const fs = require('node:fs')
const tmpdir = require('../common/tmpdir')

tmpdir.refresh()
const file = tmpdir.resolve('a.txt')
fs.writeFileSync(file, 'one\n', { mode: 0o600 })
fs.appendFileSync(file, Buffer.from('two\n'))
assert.strictEqual(fs.readFileSync(file, 'utf8'), 'one\ntwo\n')
assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
assert.strictEqual(fs.statSync(file, { bigint: true }).size, 8n)
assert.throws(() => fs.readFileSync(tmpdir.resolve('none')), { code: 'ENOENT', syscall: 'open' })
assert.throws(() => fs.openSync(file, 'nothing'), { code: 'ERR_INVALID_ARG_VALUE' })
// What is open stays what it is when its name is taken away.
const fd = fs.openSync(file, 'r+')
fs.unlinkSync(file)
assert.strictEqual(fs.writeSync(fd, 'ONE', 0), 3)
assert.strictEqual(fs.readFileSync(fd, 'utf8'), 'ONE\ntwo\n')
fs.closeSync(fd)
assert.throws(() => fs.closeSync(fd), { code: 'EBADF' })
fs.createWriteStream(file).on('close', common.mustCall(read)).end('0123456789')
function read() {
  let text = ''
  new fs.ReadStream(file, { start: 2, end: 5, encoding: 'utf8' })
    .on('data', (chunk) => (text += chunk))
    .on(
      'close',
      common.mustCall(() => assert.strictEqual(text, '2345')),
    )
}
;(async () => {
  const handle = await fs.promises.open(tmpdir.resolve('b.txt'), 'w+')
  await handle.writeFile(['a\n', 'b\n'])
  await handle.close()
  const lines = []
  const again = await fs.promises.open(tmpdir.resolve('b.txt'))
  for await (const line of again.readLines()) lines.push(line)
  assert.deepStrictEqual(lines, ['a', 'b'])
  assert.strictEqual(await fs.promises.mkdir(tmpdir.resolve('c/d'), { recursive: true }), tmpdir.resolve('c'))
  const names = []
  for await (const { name } of await fs.promises.opendir(tmpdir.path)) names.push(name)
  assert.ok(names.includes('b.txt') && names.includes('c'))
})().then(common.mustCall())
