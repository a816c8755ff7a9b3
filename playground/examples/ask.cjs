'use strict'
// Starts each server that asks.json names, asks it what stands there, and writes down what it answered.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')

const servers = JSON.parse(fs.readFileSync('asks.json', 'utf8'))
const results = {}

/** What is another one each time: where something was thrown, numbers of sessions, and places on this machine. */
const plain = (text) =>
  text
    .replaceAll(process.cwd(), '')
    .replace(/(?:<br>|\n) *(?:&nbsp; ?&nbsp;)?\s*at [^\n<]*/g, '')
    .replace(/(?<![\w.])\d{5,}/g, '#')
const shownHeaders = ({ headers }) =>
  ['content-type', 'content-disposition', 'location', 'allow', 'vary', 'x-powered-by', 'www-authenticate']
    .filter((name) => headers[name] !== undefined)
    .map((name) => `${name}: ${headers[name]}`)
    .concat((headers['set-cookie'] ?? []).map((cookie) => `set-cookie: ${cookie.split('=')[0]}`))
    .concat(headers.etag ? ['etag'] : [])

async function ask(port, { method = 'GET', path, headers = {}, body }, cookies) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = { ...(cookie === '' ? {} : { cookie }), ...headers }
  if (body !== undefined) sent['content-type'] ??= 'application/x-www-form-urlencoded'
  const request = http.request({ host: '127.0.0.1', port, method, path, headers: sent })
  request.end(body)
  const [answer] = await once(request, 'response')
  let text = ''
  answer.setEncoding('utf8')
  for await (const chunk of answer) text += chunk
  for (const one of answer.headers['set-cookie'] ?? []) {
    const [name, ...value] = one.split(';', 1)[0].split('=')
    cookies.set(name, value.join('='))
  }
  return [`${answer.statusCode} ${answer.statusMessage}`, ...shownHeaders(answer), '', plain(text)].join('\n')
}

/** What a WebSocket hears, until it has heard as much as it is to hear. */
async function talk(port, { ws: path, says = [], hears, headers = {} }, cookies) {
  const { WebSocket } = require('ws')
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
  })
  const heard = []
  return new Promise((resolve) => {
    const end = (why) => {
      socket.terminate()
      resolve([...heard, why].join('\n'))
    }
    socket.on('open', () => {
      heard.push('open')
      for (const one of says) socket.send(one)
      if (hears === 0) socket.close()
    })
    socket.on('message', (data, isBinary) => {
      heard.push(`${isBinary ? 'bytes' : 'text'} ${String(data).replace(/\d+/g, '#')}`)
      if (heard.length === hears + 1) socket.close()
    })
    socket.on('close', (code, reason) => end(`closed ${code} ${reason}`))
    socket.on('unexpected-response', (_request, answer) => end(`refused ${answer.statusCode}`))
    socket.on('error', (error) => end(error.message))
  })
}

async function runOne({ name, file, cwd = '.', port, steps }) {
  const child = spawn(process.execPath, [file], { cwd, env: { ...process.env, PORT: String(port) } })
  let said = ''
  const started = new Promise((resolve, reject) => {
    const read = (chunk) => {
      said += chunk
      if (/started on|listening/i.test(said)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('close', (code) =>
      reject(new Error(`ended with ${code}: ${/^[A-Z]\w*Error\b.*$/m.exec(said)?.[0] ?? said}`)),
    )
  })
  try {
    await started
    const cookies = new Map()
    for (const [index, step] of steps.entries()) {
      const key = `${name} ${index + 1}: ${step.ws ? 'WS' : (step.method ?? 'GET')} ${step.ws ?? step.path}`
      results[key] = await (step.ws ? talk : ask)(port, step, cookies).catch((error) => `failed: ${error.message}`)
    }
  } catch (error) {
    results[name] = error.message
  }
  child.kill()
  console.log(`asked ${name}`)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function runAll() {
  for (const server of servers) await runOne(server)
  fs.writeFileSync('results.json', JSON.stringify(results))
}
runAll()
