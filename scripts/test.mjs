// Runs every check in order, cheap ones first, and ends with one line: `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'

const results = 'test-results'
const checks = [
  { name: 'build', command: [process.execPath, 'scripts/build.mjs'] },
  { name: 'types', command: [process.execPath, 'scripts/typecheck.mjs'] },
  { name: 'lint', command: ['node_modules/.bin/oxlint', '--deny-warnings'] },
  { name: 'format', command: ['node_modules/.bin/prettier', '--check', '.', '--log-level', 'warn'] },
  { name: 'layers', command: [process.execPath, 'scripts/layers.mjs'] },
  { name: 'unit', vitest: true },
  { name: 'integration', vitest: true },
  { name: 'e2e', vitest: true },
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${checks.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

function counts(name, file, status) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`${name}: no report was written (${error.message})`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  // A file that can't even be loaded has no failed test in it, and still is a failure; so is a run without any test.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + brokenFiles
  const missing = failed === 0 && (status !== 0 || report.numPassedTests === 0) ? 1 : 0
  return {
    passed: report.numPassedTests,
    failed: failed + missing,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

const total = { passed: 0, failed: 0, skipped: 0 }
const broken = []
for (const { name, command, vitest } of checks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = Date.now()
  const file = `${results}/${name}.json`
  const [program, ...args] = vitest
    ? [
        'node_modules/.bin/vitest',
        'run',
        '--project',
        name,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ]
    : command
  console.log(`\n== ${name}`)
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const result = vitest
    ? counts(name, file, status)
    : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 }
  for (const key of Object.keys(total)) total[key] += result[key]
  if (result.failed > 0) broken.push(name)
  console.log(
    `== ${name}: ${result.failed > 0 ? 'failed' : 'passed'} in ${((Date.now() - started) / 1000).toFixed(0)} s`,
  )
  // Nothing after a broken build says anything.
  if (name === 'build' && result.failed > 0) break
}

if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exit(total.failed === 0 ? 0 : 1)
