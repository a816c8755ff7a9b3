import nodeHttp from 'node:http'
import { describe, expect, it } from 'vitest'
import type { FromServer, ToServer } from '../../common/httpLine.ts'
import type { ToProcess } from '../../common/processMessages.ts'
import { Handles } from '../handles.ts'
import { ProgramLink } from '../programLink.ts'
import { makeHttp } from './http.ts'
import type { Loose } from '../loose.ts'

const decoder = new TextDecoder()

function begin() {
  const { port1, port2 } = new MessageChannel()
  const link = new ProgramLink(port1)
  void link.begin()
  const taken = new Set<number>()
  const made = makeHttp({ link, handles: new Handles(queueMicrotask), later: queueMicrotask })
  port2.onmessage = ({ data }: MessageEvent) => {
    const answer = (more: object) =>
      port2.postMessage({ type: 'answer', id: data.id, error: null, ...more } as ToProcess)
    if (data.type === 'listen') {
      if (taken.has(data.port)) return answer({ error: { code: 'EADDRINUSE', message: 'address already in use' } })
      taken.add(data.port)
      return answer({})
    }
    if (data.type === 'connect') {
      const channel = new MessageChannel()
      made.take(data.port, channel.port2)
      return port2.postMessage({ type: 'answer', id: data.id, error: null, line: channel.port1 }, [channel.port1])
    }
    return undefined
  }
  const close = () => {
    port1.close()
    port2.close()
  }
  return { ...made, close }
}

/** Asks over a line of its own; resolves with everything that came back. */
function ask(
  take: (port: number, line: MessagePort) => void,
  request: Partial<Extract<ToServer, { type: 'request' }>>,
) {
  const { port1, port2 } = new MessageChannel()
  take(3000, port2)
  const heard: FromServer[] = []
  return new Promise<{ heard: FromServer[]; status: number; headers: Record<string, string>; text: string }>(
    (resolve) => {
      port1.onmessage = ({ data }: MessageEvent<FromServer>) => {
        heard.push(data)
        if (data.type !== 'end' && data.type !== 'failed') return
        port1.close()
        const head = heard.find((one) => one.type === 'head')
        const text = heard.map((one) => (one.type === 'chunk' ? decoder.decode(one.data) : '')).join('')
        resolve({ heard, status: head?.status ?? 0, headers: Object.fromEntries(head?.headers ?? []), text })
      }
      const plain = { method: 'GET', url: '/', headers: [], body: null, upgrade: false }
      port1.postMessage({ type: 'request', id: 1, ...plain, ...request } satisfies ToServer)
    },
  )
}

const listening = (server: Loose, port: number) => new Promise<void>((resolve) => server.listen(port, resolve))

describe('a server of a process', () => {
  it('BB837: is given method, address, headers and body, and answers with status, headers and a body in parts', async () => {
    const { http, take, close } = begin()
    const server = http.createServer(async (request: Loose, response: Loose) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      response.writeHead(201, { 'X-Seen': `${request.method} ${request.url} ${request.headers['content-type']}` })
      response.write('got ')
      response.end(body)
    })
    await listening(server, 3000)
    const body = new TextEncoder().encode('hello')
    const { status, headers, text, heard } = await ask(take, {
      method: 'POST',
      url: '/a?b=c',
      headers: [['Content-Type', 'text/x']],
      body,
    })
    expect([status, headers['X-Seen'], text]).toEqual([201, 'POST /a?b=c text/x', 'got hello'])
    expect(heard.filter(({ type }) => type === 'chunk')).toHaveLength(2)
    close()
  })

  it('BB837: says the length of an answer that is given at once, sends no body to HEAD, and refuses headers that come late', async () => {
    const { http, take, close } = begin()
    const failures: string[] = []
    const server = http.createServer((_request: Loose, response: Loose) => {
      response.end('żółw')
      try {
        response.setHeader('a', 'b')
      } catch (error) {
        failures.push((error as { code: string }).code)
      }
    })
    await listening(server, 3000)
    expect((await ask(take, {})).headers['Content-Length']).toBe('7')
    const head = await ask(take, { method: 'HEAD' })
    expect([head.text, head.headers['Content-Length'], failures]).toEqual([
      '',
      '7',
      ['ERR_HTTP_HEADERS_SENT', 'ERR_HTTP_HEADERS_SENT'],
    ])
    close()
  })

  it('BB837: is reached by programs of the sandbox, by request and by fetch', async () => {
    const { http, fetch, close } = begin()
    const server = http.createServer((request: Loose, response: Loose) =>
      response.end(`${request.method} ${request.headers.host}`),
    )
    await listening(server, 3000)
    const asked = new Promise((resolve) => {
      http.get('http://localhost:3000/x', async (answer: Loose) => {
        let text = ''
        for await (const chunk of answer) text += String(chunk)
        resolve([answer.statusCode, text])
      })
    })
    expect(await asked).toEqual([200, 'GET localhost:3000'])
    const answer = await fetch('http://localhost:3000/', { method: 'POST', body: 'x' })
    expect([answer.status, await answer.text()]).toEqual([200, 'POST localhost:3000'])
    close()
  })

  it('BB837: hands over the bytes of a connection that is no longer HTTP, in both directions', async () => {
    const { http, take, close } = begin()
    const server = http.createServer()
    server.on('upgrade', (_request: Loose, socket: Loose) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
      socket.on('data', (chunk: Uint8Array) => socket.write(`echo ${decoder.decode(chunk)}`))
    })
    await listening(server, 3000)
    const { port1, port2 } = new MessageChannel()
    take(3000, port2)
    const heard: string[] = []
    const done = new Promise<void>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<FromServer>) => {
        if (data.type === 'data' && data.data) heard.push(decoder.decode(data.data))
        if (heard.length === 2) resolve()
      }
    })
    port1.postMessage({
      type: 'request',
      id: 1,
      method: 'GET',
      url: '/',
      headers: [],
      body: null,
      upgrade: true,
    } satisfies ToServer)
    port1.postMessage({ type: 'data', id: 1, data: new TextEncoder().encode('hi') } satisfies ToServer)
    await done
    expect(heard).toEqual(['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'echo hi'])
    port1.close()
    close()
  })

  it('BB834: is told when its port is taken', async () => {
    const { http, close } = begin()
    await listening(http.createServer(), 3000)
    const second = http.createServer()
    const failed = new Promise((resolve) => second.on('error', resolve))
    second.listen(3000)
    expect(await failed).toMatchObject({ code: 'EADDRINUSE', port: 3000, syscall: 'listen' })
    close()
  })
})

/** What a server hears of a request. */
const heardOf = (http: Loose, begin: (port: number, done: (answer: Loose) => void) => Loose): Promise<unknown> =>
  new Promise((resolve, reject) => {
    // Many programs make it so. oxlint-disable-next-line new-cap
    const server = http.Server(({ method, url, headers }: Loose, response: Loose) => {
      const { authorization, 'x-a': a } = headers
      response.end(JSON.stringify({ method, url, authorization, a }))
    })
    server.listen(0, () => {
      const request = begin(server.address().port, (answer) => {
        let text = ''
        answer.on('data', (chunk: unknown) => (text += String(chunk)))
        answer.on('end', () => {
          server.close()
          resolve(JSON.parse(text))
        })
      })
      request.on('error', reject).end()
    })
  })

const requests: Readonly<Record<string, (http: Loose) => unknown>> = {
  'a name and a password in the address': (http) =>
    heardOf(http, (port, done) => http.request(`http://me:it%20is@localhost:${port}/a?b`, done)),
  'headers as a list': (http) =>
    heardOf(http, (port, done) =>
      http.request({ port, method: 'PUT', headers: ['Host', 'localhost', 'X-A', '1'] }, done),
    ),
  'a path with blanks': (http) => http.request({ path: '/a b' }),
  'a method that is none': (http) => http.request({ method: 'GET IT' }),
  'a protocol of another module': (http) => http.request('https://localhost'),
  'a host that is no text': (http) => http.request({ hostname: 3 }),
}
it.each(Object.entries(requests))('BB1157: %s', async (_title, ask) => {
  const answer = async (http: Loose) => {
    try {
      return await ask(http)
    } catch (error) {
      const { code, name, message } = error as Loose
      return { code, name, message }
    }
  }
  const { http, close } = begin()
  expect(await answer(http)).toEqual(await answer(nodeHttp))
  close()
})
