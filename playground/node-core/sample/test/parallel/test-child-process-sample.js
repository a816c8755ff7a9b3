'use strict'
const common = require('../common')
const assert = require('node:assert')
const { exec, execFile, fork, spawn } = require('node:child_process')
const fs = require('node:fs')
const util = require('node:util')
const tmpdir = require('../common/tmpdir')

if (process.argv[2] === 'between') {
  // What it is given is for its child.
  spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], { stdio: 'inherit' })
  return
}
if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    process.send({ twice: message.once * 2 })
    process.disconnect()
  })
  return
}
const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'])
let said = ''
child.stdout.setEncoding('utf8').on('data', (text) => (said += text))
child.stdin.end('hello')
child.on(
  'close',
  common.mustCall((code, signal) => assert.deepStrictEqual([said, code, signal], ['hello', 0, null])),
)
exec(
  'echo one && exit 3',
  common.mustCall((error, stdout) => assert.deepStrictEqual([error.code, stdout], [3, 'one\n'])),
)
const forked = fork(__filename, ['child'])
forked.on(
  'message',
  common.mustCall((message) => assert.deepStrictEqual(message, { twice: 42 })),
)
forked.send({ once: 21 })
forked.on('exit', common.mustCall())

// A program that is not there, and a folder that is not.
for (const [file, options] of [
  ['no-such-program', {}],
  [process.execPath, { cwd: '/no/such/folder' }],
]) {
  const none = spawn(file, ['one', 'two'], options)
  assert.strictEqual(none.pid, undefined)
  none.on('spawn', common.mustNotCall())
  none.on('exit', common.mustNotCall())
  none.on(
    'error',
    common.mustCall(({ code, errno, syscall, path, spawnargs, message }) =>
      assert.deepStrictEqual(
        [code, errno, syscall, path, spawnargs, message],
        ['ENOENT', -2, `spawn ${file}`, file, ['one', 'two'], `spawn ${file} ENOENT`],
      ),
    ),
  )
  none.on(
    'close',
    common.mustCall((code) => assert.strictEqual(code, -2)),
  )
}
execFile(
  'no-such-program',
  ['a'],
  common.mustCall(({ code, cmd }) => assert.deepStrictEqual([code, cmd], ['ENOENT', 'no-such-program a'])),
)
exec(
  'no-such-program',
  common.mustCall((error) => assert.strictEqual(error.code, 127)),
)

// What it has at once, and how it ends.
const stays = ['-e', 'setInterval(() => {}, 1000)']
const killed = spawn(process.execPath, stays)
assert.strictEqual(typeof killed.pid, 'number')
assert.throws(() => killed.kill('SIGNONE'), { code: 'ERR_UNKNOWN_SIGNAL', name: 'TypeError' })
assert.deepStrictEqual([killed.kill(), killed.killed], [true, true])
killed.on(
  'exit',
  common.mustCall((code, signal) => {
    assert.deepStrictEqual([code, signal, killed.kill()], [null, 'SIGTERM', false])
    assert.throws(() => process.kill(killed.pid), { code: 'ESRCH', syscall: 'kill' })
  }),
)
exec(
  `"${process.execPath}" ${stays[0]} "${stays[1]}"`,
  { timeout: 1 },
  common.mustCall((error) => assert.deepStrictEqual([error.killed, error.code, error.signal], [true, null, 'SIGTERM'])),
)
const controller = new AbortController()
spawn(process.execPath, stays, { signal: controller.signal }).on(
  'error',
  common.mustCall((error) => assert.deepStrictEqual([error.name, error.cause], ['AbortError', 'no more'])),
)
controller.abort('no more')
exec(
  'echo 123456789',
  { maxBuffer: 4 },
  common.mustCall((error, stdout) =>
    assert.deepStrictEqual([error.code, stdout], ['ERR_CHILD_PROCESS_STDIO_MAXBUFFER', '1234']),
  ),
)
execFile(
  process.execPath,
  ['-p', 'process.argv.length + "!"'],
  common.mustSucceed((stdout) => assert.strictEqual(stdout, '1!\n')),
)

// What is given wrong.
for (const wrong of [
  () => spawn(),
  () => spawn('ls', 'a'),
  () => spawn('ls', [], null),
  () => spawn('ls', { uid: 'a' }),
  () => exec(1),
  () => fork(undefined),
  () => util.promisify(exec)('ls', { signal: {} }),
])
  assert.throws(wrong, { code: 'ERR_INVALID_ARG_TYPE', name: 'TypeError' })
assert.throws(() => spawn('ls', { timeout: -1 }), /ERR_OUT_OF_RANGE/)
assert.throws(() => spawn('ls', { stdio: ['ipc', 'ipc'] }), { code: 'ERR_IPC_ONE_PIPE' })
assert.throws(() => fork(__filename, { stdio: ['pipe'] }), { code: 'ERR_CHILD_PROCESS_IPC_REQUIRED' })

// What one child writes another one reads; a file takes it too, also when it is closed here.
const writes = spawn(process.execPath, ['-e', 'console.log("from one to the other")'])
const reads = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], {
  stdio: [writes.stdout, 'pipe', 2],
})
let read = ''
reads.stdout.on('data', (chunk) => (read += chunk))
reads.on(
  'close',
  common.mustCall(() => assert.strictEqual(read, 'from one to the other\n')),
)
const between = spawn(process.execPath, [__filename, 'between'])
let through = ''
between.stdout.on('data', (chunk) => (through += chunk))
between.stdin.end('through')
between.on(
  'close',
  common.mustCall((code) => assert.deepStrictEqual([code, through], [0, 'through'])),
)
tmpdir.refresh()
const log = fs.openSync(tmpdir.resolve('log'), 'w')
const logs = spawn(process.execPath, ['-e', 'console.log("kept")'], { stdio: ['ignore', log, log] })
fs.closeSync(log)
logs.on(
  'close',
  common.mustCall(() => assert.strictEqual(fs.readFileSync(tmpdir.resolve('log'), 'utf8'), 'kept\n')),
)

// A child that listens ends when its parent has nothing more to say, and hears what came before it listened.
const text = `setTimeout(() => process.on('message', (m) => process.send([m, process.connected])), 50)
process.on('disconnect', () => console.log('over'))`
const listens = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
listens.send({ early: true, left: undefined })
listens.on(
  'message',
  common.mustCall((message) => {
    assert.deepStrictEqual(message, [{ early: true }, true])
    listens.disconnect()
    assert.strictEqual(listens.connected, false)
    listens.send(
      'late',
      common.mustCall((error) => assert.strictEqual(error.code, 'ERR_IPC_CHANNEL_CLOSED')),
    )
  }),
)
listens.on('disconnect', common.mustCall())
let last = ''
listens.stdout.on('data', (chunk) => (last += chunk))
listens.on(
  'exit',
  common.mustCall((code) => assert.strictEqual(code, 0)),
)
listens.stdout.on(
  'end',
  common.mustCall(() => assert.strictEqual(last, 'over\n')),
)
