'use strict'
// Runs each test of Node in a process of its own, a few at a time, and writes down how it ended.
const { spawn } = require('node:child_process')
const fs = require('node:fs')

const tests = JSON.parse(fs.readFileSync('tests.json', 'utf8'))
const results = {}
let next = 0

function runOne(name) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`test/parallel/${name}`])
    let said = ''
    const read = (chunk) => (said = (said + chunk).slice(-3000))
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      child.kill('SIGKILL')
    }, 15000)
    const end = (code) => {
      clearTimeout(timer)
      console.log(`${Object.keys(results).length + 1} of ${tests.length} ${name} ${isOver ? 'does not end' : code}`)
      if (code !== 0) console.log(said)
      const lines = said.split('\n').filter((line) => /\w/.test(line))
      const why = lines.find((line) => /^\S*Error\b|: wanted /.test(line)) || lines[0] || ''
      results[name] = code === 0 && !isOver ? 'passed' : isOver ? 'does not end' : why.slice(0, 160) || `status ${code}`
      resolve()
    }
    child.on('error', (error) => end(error.message))
    child.on('close', end)
  })
}

async function lane() {
  while (next < tests.length) await runOne(tests[next++])
}
/** A busy machine makes tests late that would end: each has a second try, with nothing beside it. */
async function again() {
  for (const name of tests.filter((one) => results[one] === 'does not end')) await runOne(name)
}
// Those that never end wait most of the time, so more run than there are processors.
Promise.all(Array.from({ length: 6 }, lane))
  .then(again)
  .then(() => {
    fs.writeFileSync('results.json', JSON.stringify(results))
    console.log('ALL TESTS RAN')
  })
