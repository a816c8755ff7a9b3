'use strict'
// Starts each example in a process of its own, asks it, and writes down what it does not answer as it has to.
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const http = require('node:http')

const examples = JSON.parse(fs.readFileSync('asks.json', 'utf8'))
const PORT = 3000
const TRIES = 300

const ask = ({ path, method = 'GET', headers = {}, body }) =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const request = http.request({ port: PORT, path, method, headers: { ...headers, ...length } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    request.on('error', reject)
    request.end(body)
  })

async function untilThere() {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await ask({ path: '/' })
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') return undefined
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nothing listens')
}

async function runOne(name, asks) {
  const child = spawn(process.execPath, [`examples/${name}/index.js`])
  let said = ''
  const read = (chunk) => (said = (said + chunk).slice(-2000))
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const ended = new Promise((resolve) => child.on('close', resolve))
  const wrong = []
  try {
    const over = ended.then(() => {
      throw new Error('it has ended')
    })
    over.catch(() => undefined)
    // What counts visits is asked once.
    if (asks.length > 1) await Promise.race([untilThere(), over])
    for (const one of asks) {
      const first = asks.length > 1 ? ask(one) : firstAnswer(one)
      const { status, text } = await Promise.race([first, over])
      const isRight = status === (one.status ?? 200) && new RegExp(one.shows, 's').test(text)
      if (!isRight) wrong.push(`${one.method ?? 'GET'} ${one.path}: ${status} ${text.slice(0, 200)}`)
    }
  } catch (error) {
    wrong.push(`${error.message}: ${said}`)
  }
  child.kill('SIGKILL')
  await ended
  return wrong.length === 0 ? 'passed' : wrong.join('\n')
}

async function firstAnswer(one) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask(one)
    } catch (error) {
      if (error.code !== 'ECONNREFUSED' || tries > TRIES) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

;(async () => {
  const results = {}
  for (const [name, asks] of Object.entries(examples)) {
    results[name] = await runOne(name, asks)
    console.log(name, results[name])
  }
  fs.writeFileSync('results.json', JSON.stringify(results))
})()
