// Runs every check in order, cheap ones first, and ends with one line: `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'

const results = 'test-results'
const checks = [
  { name: 'build', command: [process.execPath, 'scripts/build.mjs'] },
  { name: 'types', command: [process.execPath, 'scripts/typecheck.mjs'] },
  { name: 'lint', command: ['node_modules/.bin/oxlint', '--deny-warnings'] },
  { name: 'format', command: ['node_modules/.bin/prettier', '--check', '.', '--log-level', 'warn'] },
  { name: 'layers', command: [process.execPath, 'scripts/layers.mjs'] },
  { name: 'rules', command: [process.execPath, 'scripts/rules.mjs'] },
  { name: 'unit', vitest: true },
  { name: 'integration', vitest: true, secondAttempt: true },
  { name: 'e2e', vitest: true, secondAttempt: true },
]

/** More broken files than this are a defect, not an accident. */
const SECOND_ATTEMPTS = 4

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${checks.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

/** Runs the tests of one kind, all or those in `files`, and says what came of each file. */
function runVitest(name, report, files = []) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['run', '--project', name, ...reporters, ...files]
  const { status } = spawnSync('node_modules/.bin/vitest', args, { stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    return { status, files: JSON.parse(readFileSync(report, 'utf8')).testResults }
  } catch (error) {
    console.error(`${name}: no report was written (${error.message})`)
    return { status: status || 1, files: [] }
  }
}

/** A file that can't even be loaded has no failed test in it, and still is a failure; so is a run without any test. */
function countsOf({ status, files }) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const broken = files.filter((file) => file.status === 'failed' && !file.assertionResults.some(isFailed)).length
  const failed = tests.filter(isFailed).length + broken
  return {
    passed,
    failed: failed === 0 && (status !== 0 || passed === 0) ? 1 : failed,
    skipped: tests.length - passed - tests.filter(isFailed).length,
  }
}

const isFailed = (test) => test.status === 'failed'

/**
 * Tests that need processes and browsers fail now and then for a reason outside them. Few broken files get a second attempt, and so does a
 * run in which only something outside the tests threw. What passes at the second attempt only is named at the end.
 */
function runTests({ name, secondAttempt }) {
  const first = runVitest(name, `${results}/${name}.json`)
  const broken = first.files.filter((file) => file.status === 'failed')
  if (!secondAttempt || first.status === 0 || broken.length > SECOND_ATTEMPTS) return countsOf(first)
  const again = (broken.length > 0 ? broken : first.files).map((file) => file.name)
  console.log(
    `\n== ${name}: second attempt of ${broken.length > 0 ? broken.map(nameOf).join(', ') : 'all, as something threw outside the tests'}`,
  )
  const second = runVitest(name, `${results}/${name}.second.json`, again)
  if (second.status === 0)
    unstable.push(broken.length > 0 ? broken.map(nameOf).join(', ') : `something outside the tests of ${name}`)
  const kept = first.files.filter((file) => !again.includes(file.name))
  return countsOf({ status: second.status, files: [...kept, ...second.files] })
}

const nameOf = (file) => relative('.', file.name)

function runCommand([program, ...args]) {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 }
}

const unstable = []
const total = { passed: 0, failed: 0, skipped: 0 }
const broken = []
for (const check of checks) {
  const { name, command } = check
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = Date.now()
  console.log(`\n== ${name}`)
  const result = check.vitest ? runTests(check) : runCommand(command)
  for (const key of Object.keys(total)) total[key] += result[key]
  if (result.failed > 0) broken.push(name)
  console.log(
    `== ${name}: ${result.failed > 0 ? 'failed' : 'passed'} in ${((Date.now() - started) / 1000).toFixed(0)} s`,
  )
  // Nothing after a broken build says anything.
  if (name === 'build' && result.failed > 0) break
}

if (unstable.length > 0) console.log(`\nPassed at the second attempt only, find out why: ${unstable.join(', ')}`)
if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exit(total.failed === 0 ? 0 : 1)
