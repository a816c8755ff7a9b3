// Runs every check and ends with one line: `N passed, N failed`. A browser test keeps one of two cores busy, so the browser tests run beside the
// other checks, which come one after another, cheap ones first.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { createInterface } from 'node:readline'

const results = 'test-results'
/** Nothing after a broken build says anything. */
const build = { name: 'build', command: [process.execPath, 'scripts/build.mjs'] }
const checks = [
  { name: 'types', command: [process.execPath, 'scripts/typecheck.mjs'] },
  { name: 'lint', command: ['node_modules/.bin/oxlint', '--deny-warnings'] },
  { name: 'format', command: ['node_modules/.bin/prettier', '--check', '.', '--log-level', 'warn'] },
  { name: 'layers', command: [process.execPath, 'scripts/layers.mjs'] },
  { name: 'rules', command: [process.execPath, 'scripts/rules.mjs'] },
  { name: 'unit', vitest: true },
  { name: 'integration', vitest: true, secondAttempt: true },
]
const browserTests = { name: 'e2e', vitest: true, secondAttempt: true }

/** More broken files than this are a defect, not an accident. */
const SECOND_ATTEMPTS = 4

const wanted = process.argv.slice(2)
const names = [build, ...checks, browserTests].map(({ name }) => name)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(2)
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

/** Runs a program without input, says line by line what it prints, and resolves with its exit code. */
async function run([program, ...args], say) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  const print = async (stream) => {
    for await (const line of createInterface({ input: stream })) say(line)
  }
  await Promise.all([print(child.stdout), print(child.stderr)])
  const [status] = await closed
  return status ?? 1
}

/** Runs the tests of one kind, all or those in `files`, and says what came of each file. */
async function runVitest({ name, report, files = [], say }) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run(['node_modules/.bin/vitest', 'run', '--project', name, ...reporters, ...files], say)
  try {
    return { status, files: JSON.parse(readFileSync(report, 'utf8')).testResults }
  } catch (error) {
    say(`${name}: no report was written (${error.message})`)
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
 * Tests that need processes and browsers fail now and then for a reason outside them. Few broken files get a second attempt, with nothing beside it,
 * and so does a run in which only something outside the tests threw. What passes at the second attempt only is named at the end.
 */
async function tryAgain({ name, first }) {
  const broken = first.files.filter((file) => file.status === 'failed')
  if (first.status === 0 || broken.length > SECOND_ATTEMPTS) return first
  const again = (broken.length > 0 ? broken : first.files).map((file) => file.name)
  const why = broken.length > 0 ? broken.map(nameOf).join(', ') : 'all, as something threw outside the tests'
  console.log(`\n== ${name}: second attempt of ${why}`)
  const report = `${results}/${name}.second.json`
  const second = await runVitest({ name, report, files: again, say: console.log })
  if (second.status === 0)
    unstable.push(broken.length > 0 ? broken.map(nameOf).join(', ') : `something outside the tests of ${name}`)
  const kept = first.files.filter((file) => !again.includes(file.name))
  return { status: second.status, files: [...kept, ...second.files] }
}

const nameOf = (file) => relative('.', file.name)

const countsOfCommand = (status) => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 })

const unstable = []
const total = { passed: 0, failed: 0, skipped: 0 }
const broken = []
function count(name, result) {
  for (const key of Object.keys(total)) total[key] += result[key]
  if (result.failed > 0) broken.push(name)
}

/** What is left to be tried again once nothing else runs. */
const postponed = []

async function runCheck(check, say) {
  const { name, command } = check
  const started = Date.now()
  const end = (isPassed) =>
    say(`== ${name}: ${isPassed ? 'passed' : 'failed'} in ${((Date.now() - started) / 1000).toFixed(0)} s`)
  say(`\n== ${name}`)
  if (command) {
    const result = countsOfCommand(await run(command, say))
    count(name, result)
    return end(result.failed === 0)
  }
  const first = await runVitest({ name, report: `${results}/${name}.json`, say })
  if (check.secondAttempt) postponed.push({ name, first })
  else count(name, countsOf(first))
  end(countsOf(first).failed === 0)
}

const isWanted = ({ name }) => wanted.length === 0 || wanted.includes(name)

/** Says all at once when the check has ended, as the browser tests print meanwhile. */
async function runBeside(check) {
  const lines = []
  await runCheck(check, (line) => lines.push(line))
  console.log(lines.join('\n'))
}

async function runOthers() {
  for (const check of checks.filter(isWanted)) {
    if (isWanted(browserTests)) await runBeside(check)
    else await runCheck(check, console.log)
  }
}

if (isWanted(build)) await runCheck(build, console.log)
if (broken.length === 0) {
  await Promise.all([runOthers(), isWanted(browserTests) ? runCheck(browserTests, console.log) : undefined])
  for (const { name, first } of postponed) count(name, countsOf(await tryAgain({ name, first })))
}

if (unstable.length > 0) console.log(`\nPassed at the second attempt only, find out why: ${unstable.join(', ')}`)
if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exit(total.failed === 0 ? 0 : 1)
