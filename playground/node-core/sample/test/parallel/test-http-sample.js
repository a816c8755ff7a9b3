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
