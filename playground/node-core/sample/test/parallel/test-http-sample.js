'use strict'
const common = require('../common')
const assert = require('node:assert')
const http = require('node:http')

const server = http.createServer(
  common.mustCall((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      response.setHeader('x-method', request.method)
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.writeHead(201, { 'content-type': 'text/plain' })
      response.write('got ')
      response.end(body)
    })
  }),
)
server.listen(0, () => {
  const options = { port: server.address().port, path: '/a?b=c', method: 'POST', headers: { 'x-sent': 'yes' } }
  const request = http.request(options, (response) => {
    assert.deepStrictEqual([response.statusCode, response.headers['x-method']], [201, 'POST'])
    assert.deepStrictEqual(response.headers['set-cookie'], ['a=1', 'b=2'])
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    response.on(
      'end',
      common.mustCall(() => {
        assert.strictEqual(text, 'got body')
        server.close(common.mustCall())
      }),
    )
  })
  request.end('body')
})
assert.throws(() => http.request({ path: '/a b' }), { code: 'ERR_UNESCAPED_CHARACTERS' })

// An agent knows hosts by their names, and lets one request wait for another.
assert.strictEqual(new http.Agent().getName({ host: 'a', port: 80, family: 6 }), 'a:80::6')
assert.throws(() => http.get({ agent: {} }), { code: 'ERR_INVALID_ARG_TYPE' })
const agent = new http.Agent({ maxSockets: 1, keepAlive: true })
let [running, answered] = [0, 0]
const counting = http.createServer((request, response) => {
  running += 1
  assert.strictEqual(running, 1)
  setTimeout(() => {
    running -= 1
    response.end('done')
  }, 5)
})
counting.listen(0, () => {
  for (let index = 0; index < 3; index += 1) {
    http.get(
      { port: counting.address().port, agent },
      common.mustCall((answer) => {
        answer.resume()
        answer.on('end', () => {
          answered += 1
          if (answered < 3) return
          agent.destroy()
          counting.close(common.mustCall())
        })
      }),
    )
  }
})

// Who waits too long, or no longer wants to, gives up; the server hears that.
const waiting = new Map()
const slow = http.createServer(
  common.mustCall((request, response) => {
    const { url } = request
    request.on('aborted', common.mustCall())
    response.on(
      'close',
      common.mustCall(() => {
        waiting.delete(url)
        if (waiting.size === 0) slow.close(common.mustCall())
      }),
    )
    waiting.get(url)(response)
  }, 2),
)
slow.listen(0, () => {
  const { port } = slow.address()
  waiting.set('/late', () =>
    late.setTimeout(
      1,
      common.mustCall(() => late.destroy()),
    ),
  )
  waiting.set('/parts', (response) => response.write('the first'))
  const late = http.get({ port, path: '/late', timeout: 2 ** 30 }, common.mustNotCall())
  assert.strictEqual(late.timeout, 2 ** 30)
  late.on(
    'error',
    common.mustCall((error) => assert.deepStrictEqual([error.code, error.message], ['ECONNRESET', 'socket hang up'])),
  )
  late.on('close', common.mustCall())
  const parts = http.get(
    { port, path: '/parts' },
    common.mustCall((answer) => {
      answer.on(
        'data',
        common.mustCall(() => parts.destroy()),
      )
      answer.on('aborted', common.mustCall())
      answer.on(
        'error',
        common.mustCall((error) => assert.deepStrictEqual([error.code, error.message], ['ECONNRESET', 'aborted'])),
      )
      answer.on('close', common.mustCall())
    }),
  )
})
for (const wrong of ['1', -1, Infinity])
  assert.throws(() => http.get({ timeout: wrong }), {
    code: typeof wrong === 'string' ? 'ERR_INVALID_ARG_TYPE' : 'ERR_OUT_OF_RANGE',
  })

// Another protocol behind the first answer.
const turning = http.createServer(common.mustNotCall())
turning.on(
  'upgrade',
  common.mustCall((request, socket) => {
    assert.strictEqual(request.headers.upgrade, 'shout')
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: shout\r\nConnection: Upgrade\r\n\r\nREADY ')
    socket.on('data', (chunk) => socket.end(String(chunk).toUpperCase()))
    socket.on('end', common.mustCall())
  }),
)
turning.listen(0, () => {
  const asked = http.get({ port: turning.address().port, headers: { connection: 'Upgrade', upgrade: 'shout' } })
  asked.on('response', common.mustNotCall())
  asked.on(
    'upgrade',
    common.mustCall((answer, socket, head) => {
      assert.deepStrictEqual([answer.statusCode, answer.headers.upgrade], [101, 'shout'])
      let heard = String(head)
      socket.on('data', (chunk) => (heard += chunk))
      socket.on(
        'end',
        common.mustCall(() => {
          assert.strictEqual(heard, 'READY HELLO')
          socket.end()
          turning.close(common.mustCall())
        }),
      )
      socket.write('hello')
    }),
  )
})
