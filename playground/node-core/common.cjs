'use strict'
// What Node's core tests take from their own `../common`, as far as a test needs it that looks at a module from outside.
const assert = require('node:assert')
const util = require('node:util')

const expected = []
process.on('exit', (code) => {
  if (code !== 0) return
  const wrong = expected.filter(({ isRight, seen }) => !isRight(seen))
  for (const { name, wanted, seen } of wrong) console.error(`${name}: wanted ${wanted} calls, saw ${seen}`)
  if (wrong.length > 0) process.exitCode = 1
  if (wrong.length > 0) process.exit(1)
})

function counted(given, wanted, isRight) {
  const work = typeof given === 'function' ? given : () => undefined
  const entry = { name: work.name || 'function', wanted, isRight, seen: 0 }
  expected.push(entry)
  const counting = function (...args) {
    entry.seen += 1
    return work.apply(this, args)
  }
  Object.defineProperties(counting, { name: { value: work.name }, length: { value: work.length, configurable: true } })
  return counting
}
function mustCall(given, times = 1) {
  const wanted = typeof given === 'number' ? given : times
  return counted(given, wanted, (seen) => seen === wanted)
}
function mustCallAtLeast(given, times = 1) {
  const wanted = typeof given === 'number' ? given : times
  return counted(given, wanted, (seen) => seen >= wanted)
}
const mustSucceed = (work, times) =>
  mustCall(function (error, ...args) {
    assert.ifError(error)
    return typeof work === 'function' ? work.apply(this, args) : undefined
  }, times)
const mustNotCall = (message) =>
  function mustNotCall(...args) {
    assert.fail(
      `${message || 'function'} should not have been called: ${args.map((one) => util.inspect(one)).join(', ')}`,
    )
  }

function expectsError(validator, times) {
  return mustCall((...args) => {
    assert.strictEqual(args.length, 1)
    assert.throws(() => {
      throw args[0]
    }, validator)
  }, times)
}
function expectWarning(given) {
  const wanted = typeof given === 'string' ? new Map([[given, null]]) : new Map(Object.entries(given))
  process.on('warning', (warning) => wanted.delete(warning.name))
  process.on('exit', () => assert.deepStrictEqual([...wanted.keys()], []))
}
function invalidArgTypeHelper(input) {
  if (input == null) return ` Received ${input}`
  if (typeof input === 'function') return ` Received function ${input.name}`
  if (typeof input === 'object') {
    if (input.constructor && input.constructor.name) return ` Received an instance of ${input.constructor.name}`
    return ` Received ${util.inspect(input, { depth: -1 })}`
  }
  let shown = util.inspect(input, { colors: false })
  if (shown.length > 28) shown = `${shown.slice(0, 25)}...`
  return ` Received type ${typeof input} (${shown})`
}
const views = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
]
function getArrayBufferViews({ buffer, byteOffset, byteLength }) {
  return views
    .filter((View) => byteLength % (View.BYTES_PER_ELEMENT || 1) === 0)
    .map((View) => new View(buffer, byteOffset, byteLength / (View.BYTES_PER_ELEMENT || 1)))
}
const skip = (why) => {
  console.log(`1..0 # Skipped: ${why}`)
  process.exit(0)
}

module.exports = {
  allowGlobals: () => undefined,
  canCreateSymLink: () => true,
  disableCrashOnUnhandledRejection: () => undefined,
  enoughTestMem: true,
  expectsError,
  expectWarning,
  getArrayBufferViews,
  getBufferSources: (buffer) => [...getArrayBufferViews(buffer), new Uint8Array(buffer).buffer],
  getTTYfd: () => -1,
  hasCrypto: true,
  hasFipsCrypto: false,
  hasIntl: true,
  hasIPv6: false,
  hasMultiLocalhost: () => false,
  hasOpenSSL3: true,
  hasOpenSSL: () => true,
  invalidArgTypeHelper,
  isAIX: false,
  isAlive: () => true,
  isDumbTerminal: false,
  isFreeBSD: false,
  isIBMi: false,
  isLinux: true,
  isMainThread: true,
  isOpenBSD: false,
  isOSX: false,
  isSunOS: false,
  isWindows: false,
  localhostIPv4: '127.0.0.1',
  mustCall,
  mustCallAtLeast,
  mustNotCall,
  mustNotMutateObjectDeep: (given) => given,
  mustSucceed,
  platformTimeout: (ms) => ms,
  PORT: 12346,
  pwdCommand: ['pwd', []],
  printSkipMessage: (why) => console.log(`1..0 # Skipped: ${why}`),
  runWithInvalidFD: () => skip('no descriptors of its own'),
  skip,
  skipIf32Bits: () => undefined,
  skipIfDumbTerminal: () => undefined,
  skipIfEslintMissing: () => skip('no eslint'),
  skipIfInspectorDisabled: () => skip('no inspector'),
  skipIfWorker: () => undefined,
}
