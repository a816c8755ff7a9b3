import nodeBuffer from 'node:buffer'
import nodeDiagnostics from 'node:diagnostics_channel'
import nodeEvents from 'node:events'
import nodeQuerystring from 'node:querystring'
import nodeDecoder from 'node:string_decoder'
import nodeUrl from 'node:url'
import nodeUtil from 'node:util'
import { expect, it } from 'vitest'
import { bufferModule } from './buffer.ts'
import { diagnosticsChannel } from './diagnosticsChannel.ts'
import { events } from './events.ts'
import { querystring } from './querystring.ts'
import { StringDecoder } from './stringDecoder.ts'
import { url } from './url.ts'
import { util } from './util.ts'
import type { Loose } from '../loose.ts'

// What Node's own core tests found to be another answer than that of Node, asked of both.

function answerOf(ask: (module: Loose) => unknown, module: Loose): unknown {
  try {
    return ask(module)
  } catch (error) {
    const { code, name, message } = error as Loose
    return { code, name, message }
  }
}
const same = (
  rule: string,
  theirs: Loose,
  ours: Loose,
  asks: Readonly<Record<string, (module: Loose) => unknown>>,
): void =>
  it.each(Object.entries(asks))(`${rule}: %s`, (_title, ask) => {
    expect(answerOf(ask, ours)).toEqual(answerOf(ask, theirs))
  })

/** What an emitter tells while it is worked with. */
const told = (Emitter: Loose, work: (emitter: Loose, said: unknown[]) => void): unknown[] => {
  const said: unknown[] = []
  work(new Emitter(), said)
  return said
}

same('BB1108: events', nodeEvents, events, {
  'an error is seen by who monitors it, before who handles it': (Emitter) =>
    told(Emitter, (emitter, said) => {
      emitter.on('error', (error: unknown) => said.push('handled', error))
      emitter.on(Emitter.errorMonitor, (error: unknown) => said.push('seen', error))
      emitter.emit('error', 1)
    }),
  'an error that nobody handles is thrown': (Emitter) => new Emitter().emit('error', new TypeError('mine')),
  'what is no error is told with what it is': (Emitter) => new Emitter().emit('error', { message: 'mine' }),
  'nothing is told as nothing': (Emitter) => new Emitter().emit('error'),
  'a listener is a function': (Emitter) => new Emitter().on('a', null),
  'a listener that is taken away is a function': (Emitter) => new Emitter().off('a', 'text'),
  'a listener is no object': (Emitter) => new Emitter().once('a', new Map()),
  'counts a listener': (Emitter) =>
    told(Emitter, (emitter, said) => {
      const listener = () => undefined
      emitter
        .on('a', listener)
        .once('a', listener)
        .on('a', () => undefined)
      said.push(emitter.listenerCount('a'), emitter.listenerCount('a', listener), emitter.listenerCount('b', listener))
    }),
  'names of events, symbols too': (Emitter) =>
    told(Emitter, (emitter, said) => {
      const symbol = Symbol.for('s')
      emitter.on('a', () => undefined).on(symbol, () => undefined)
      said.push(emitter.eventNames(), new Emitter().eventNames())
    }),
  'the number of listeners': (Emitter) =>
    told(Emitter, (emitter, said) => {
      const target = new EventTarget()
      Emitter.setMaxListeners(5, emitter, target)
      said.push(emitter.getMaxListeners(), Emitter.getMaxListeners(emitter), Emitter.getMaxListeners(target))
    }),
  'is no text': (Emitter) => new Emitter().setMaxListeners('many'),
  'is one method under both names': ({ prototype }) => [
    prototype.on === prototype.addListener,
    prototype.off === prototype.removeListener,
  ],
})

const bytes = (hex: string) => nodeBuffer.Buffer.from(hex, 'hex')
const ENCODINGS = ['utf8', 'utf16le', 'latin1', 'ascii', 'hex', 'base64', 'base64url']
/** The text of bytes that come one by one, in two halves and at once. */
function decoded(Decoder: Loose, encoding: string, given: Uint8Array): string[] {
  const whole = new Decoder(encoding)
  const halves = new Decoder(encoding)
  const single = new Decoder(encoding)
  const at = given.length >> 1
  return [
    whole.write(given) + whole.end(),
    halves.write(given.subarray(0, at)) + halves.end(given.subarray(at)),
    [...given].map((byte) => single.write(Uint8Array.of(byte))).join('') + single.end(),
  ]
}
const SAMPLES = [
  nodeBuffer.Buffer.from('a€𤭢ä☃💩'),
  ...['C9B5A941', 'E2', 'E241', 'CCCCB8', 'F0B841', 'F1CCB8', 'F0FB00', 'CCE2B8B8', 'E2FBCC01', 'EDA0B5EDB08D'].map(
    bytes,
  ),
  ...['3DD84DDC', '3DD84D', '3DD8', '3D', 'F4908080', 'C0AF', '61626364'].map(bytes),
]
same(
  'BB1109: string_decoder',
  nodeDecoder,
  { StringDecoder },
  {
    ...Object.fromEntries(
      ENCODINGS.map((encoding) => [
        encoding,
        ({ StringDecoder: Decoder }: Loose) => SAMPLES.map((sample) => decoded(Decoder, encoding, sample)),
      ]),
    ),
    'names of encodings': ({ StringDecoder: Decoder }) =>
      [undefined, 'UTF-8', 'ucs2', 'binary'].map((name) => new Decoder(name).encoding),
    'an encoding that is none': ({ StringDecoder: Decoder }) => new Decoder('none'),
    'what waits': ({ StringDecoder: Decoder }) => {
      const decoder = new Decoder()
      decoder.write(bytes('e1'))
      return [[...decoder.lastChar], decoder.lastNeed, decoder.lastTotal]
    },
  },
)

same('BB1109: buffer', nodeBuffer, bufferModule, {
  'sizes and bytes of texts': ({ Buffer: B }) =>
    ['', 'a', 'ä€', '💩x', '\ud800', '\udc00a', 'x\ud83d'].map((text) => [
      B.byteLength(text),
      [...B.from(text)],
      [...B.from(text, 'UTF-8')],
    ]),
  'texts of bytes': ({ Buffer: B }) =>
    ['F0B841', 'E2FBCC01', 'EDA0B5', 'EFBBBF61', '61C3A4E282AC'].flatMap((hex) => {
      const given = B.from(hex, 'hex')
      return [given.toString(), given.toString('utf8', 1), given.toString('utf8', -1, 2), given.toString('utf8', 3, 1)]
    }),
  'a text that is too long': ({ Buffer: B }) => B.alloc(2 ** 29).toString('latin1'),
  'equal bytes of another class': ({ Buffer: B }) => B.from('a').equals(new Uint8Array([97])),
  'a large text': ({ Buffer: B }) => B.from('ä'.repeat(3_000_000)).length,
})

same('BB1109: querystring', nodeQuerystring, querystring, {
  reads: ({ parse }) =>
    ['a=1&b=2&a=3&a=4', 'a&b=&=c&&', 'a+b=c%20d%', 'x=%E4%zz', 'a[b]=c', '__proto__=1', '&', '', 5].map((text) => [
      parse(text),
      Object.getPrototypeOf(parse(text)),
    ]),
  'reads with other signs': ({ parse }) => [
    parse('a:1;b:2', ';', ':'),
    parse('a==1&&b==2', '&&', '=='),
    parse('a=1&b=2', null, null, { maxKeys: 1 }),
  ],
  writes: ({ stringify }) => [
    stringify({ a: [1, 'ä b', true], b: undefined, c: null, d: Number.NaN, e: 5n, f: {} }),
    stringify({ a: 1, b: 2 }, ';', ':'),
    stringify('no'),
  ],
  escapes: ({ escape, unescape }) => [escape('ä ’&='), escape({}), escape([5, 10]), unescape('a%20b%')],
  'half of a pair': ({ escape }) => escape('\ud801'),
})

same('BB1109: url', nodeUrl, url, {
  'a path as address': ({ pathToFileURL }) =>
    ['/a b/#?%.js', '/a/', '/ä\\b\n', '/'].map((path) => (pathToFileURL(path) as URL).href),
  'an address as path': ({ fileURLToPath }) => [
    fileURLToPath('file:///a%20b/%C3%A4'),
    fileURLToPath(new URL('file:///c')),
  ],
  'one with a host': ({ fileURLToPath }) => fileURLToPath('file://host/a'),
  'one with a slash in a name': ({ fileURLToPath }) => fileURLToPath('file:///a%2fb'),
  'one that is no file': ({ fileURLToPath }) => fileURLToPath('https://a.b'),
  'the query of an address': ({ parse }) => {
    const { query, search, pathname } = parse('/x?a[b]=1&c=2&c=3', true)
    return [query, search, pathname, parse('/x', true).query, parse('/x?a=1').query]
  },
  'writes a query': ({ format }) => [
    format({ protocol: 'http', host: 'a.b', pathname: '/c', query: { d: [1, 2], e: 'f g' } }),
    format({ pathname: '/c', query: {} }),
    format(new URL('http://a:b@c.d/e?f#g'), { auth: false, fragment: false, search: false }),
  ],
  'options of a request': ({ urlToHttpOptions }) => {
    const { hostname, port, path, auth } = urlToHttpOptions(
      new URL('http://a:%C3%A4@[::1]:8080/b?c'.replace('80', '8')),
    )
    return { hostname, port, path, auth }
  },
})

same('BB1111: util', nodeUtil, util, {
  'what is equal': ({ isDeepStrictEqual }) =>
    (
      [
        [new Map([[{ a: 1 }, 1]]), new Map([[{ a: 1 }, 1]])],
        [new Map([[1, 2]]), new Map([[1, 3]])],
        [new Set([1, 2]), new Set([2, 1])],
        [new Date(1), new Date(1)],
        [/a/g, /a/i],
        [new Error('a'), new Error('b')],
        [new Uint8Array([1]), new Uint8Array([1])],
        [[1, undefined, 2]],
        [Object(1), Object(1)],
        [{ a: Number.NaN }, { a: Number.NaN }],
        [0, -0],
      ] as const
    ).map(([a, b]) => isDeepStrictEqual(a, b)),
  'a class after another': ({ inherits }) => {
    function Base() {}
    function Made() {}
    Made.prototype.own = 1
    inherits(Made, Base)
    return [
      Made.prototype.own,
      Made.prototype instanceof (Base as Loose),
      Object.keys(Made),
      (Made as Loose).super_ === Base,
    ]
  },
  'what goes away': ({ deprecate }) => {
    const old = deprecate((a: number) => a + 1, 'old', 'DEP_OF_TEST')
    return [old(1), typeof deprecate(Map, 'old', 'DEP_OF_TEST').prototype]
  },
})

/** Everything that a traced work tells, with what is known of it then. */
function traced(module: Loose, name: string, work: (tracing: Loose, said: unknown[]) => void): unknown[] {
  const said: unknown[] = []
  const tracing = module.tracingChannel(name)
  const hear = (part: string) => (context: Loose) => said.push([part, { ...context, error: context.error?.message }])
  const parts = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
  const heard = Object.fromEntries(parts.map((part) => [part, hear(part)]))
  tracing.subscribe(heard)
  tracing.start.bindStore({ run: (value: Loose, next: () => unknown) => (said.push(['within', value.mine]), next()) })
  try {
    work(tracing, said)
  } catch (error) {
    said.push(['thrown', (error as Error).message])
  }
  said.push(['gone', tracing.unsubscribe(heard), tracing.unsubscribe(heard)])
  return said
}
const fail = () => {
  throw new Error('mine')
}
same('BB1112: diagnostics_channel', nodeDiagnostics, diagnosticsChannel, {
  'a work': (module) =>
    traced(
      module,
      'b',
      (tracing, said) => void said.push(tracing.traceSync((x: number) => x + 1, { mine: 1 }, null, 2)),
    ),
  'a work that fails': (module) => traced(module, 'c', (tracing) => tracing.traceSync(fail, { mine: 1 })),
  'a work that calls back': (module) =>
    traced(module, 'd', (tracing, said) =>
      tracing.traceCallback(
        (x: number, done: Loose) => done(null, x),
        -1,
        { mine: 1 },
        null,
        3,
        (_error: unknown, x: number) => said.push(['back', x]),
      ),
    ),
  'a work that calls back with an error': (module) =>
    traced(module, 'e', (tracing, said) =>
      tracing.traceCallback(
        (done: Loose) => done(new Error('mine')),
        0,
        {},
        null,
        () => said.push('back'),
      ),
    ),
  'what is no function': (module) =>
    [
      answerOf(() => module.channel('f').subscribe(null), module),
      answerOf(() => traced(module, 'g', (tracing) => tracing.traceCallback(fail, 0, {}, null, 1)), module),
    ].map((one) => (Array.isArray(one) ? one.map((part) => (part as unknown[])[0]) : (one as Loose).code)),
  names: (module) =>
    [answerOf(() => module.channel(1), module), answerOf(() => module.tracingChannel(0), module)].map(
      (one) => (one as Loose).code,
    ),
})

it('BB1112: diagnostics_channel: a promise is told when it is settled, and its failure too', async () => {
  const settled = async (module: Loose, work: () => Promise<unknown>, name: string): Promise<unknown[]> => {
    const parts: unknown[] = []
    const tracing = module.tracingChannel(name)
    for (const part of ['start', 'end', 'asyncStart', 'asyncEnd', 'error'])
      tracing[part].subscribe(({ result, error }: Loose) => parts.push([part, result, error?.message]))
    await tracing.tracePromise(work).catch((error: Error) => parts.push(['caught', error.message]))
    return parts
  }
  for (const [name, work] of [
    ['h', async () => 1],
    ['i', async () => fail()],
  ] as const)
    expect(await settled(diagnosticsChannel, work, name)).toEqual(await settled(nodeDiagnostics, work, name))
})

const waits: Readonly<Record<string, (Emitter: Loose) => Promise<unknown>>> = {
  'events before the first is asked for': async (Emitter) => {
    const emitter = new Emitter()
    const events = Emitter.on(emitter, 'a', { close: ['end'] })
    emitter.emit('a', 1)
    emitter.emit('a', 2, 3)
    emitter.emit('end')
    const seen: unknown[] = []
    for await (const given of events) seen.push(given)
    return [seen, emitter.listenerCount('a'), emitter.listenerCount('error')]
  },
  'an error ends the waiting': async (Emitter) => {
    const emitter = new Emitter()
    const events = Emitter.on(emitter, 'a')
    const first = events.next()
    emitter.emit('error', new TypeError('mine'))
    const { message } = await first.catch((error: unknown) => error)
    return [message, await events.next()]
  },
  'who gives up is told': async (Emitter) => {
    const giving = new AbortController()
    const emitter = new Emitter()
    const next = Emitter.on(emitter, 'a', { signal: giving.signal }).next()
    const one = Emitter.once(emitter, 'b', { signal: giving.signal })
    giving.abort()
    const errors = await Promise.all([next, one].map((given) => given.catch(({ name, code }: Loose) => [name, code])))
    return [errors, emitter.eventNames()]
  },
  'who has given up before': async (Emitter) => {
    const asked = Emitter.once(new Emitter(), 'a', { signal: AbortSignal.abort() })
    return asked.catch(({ name, code }: Loose) => [name, code])
  },
  'one event of a target': async (Emitter) => {
    const target = new EventTarget()
    const asked = Emitter.once(target, 'a')
    target.dispatchEvent(new Event('a'))
    return (await asked).length
  },
  'what happened already is told later': async (Emitter) => {
    const said: string[] = []
    Emitter.addAbortListener(AbortSignal.abort(), () => said.push('aborted'))
    said.push('first')
    await Promise.resolve()
    return said
  },
}
it.each(Object.entries(waits))('BB1156: events: %s', async (_title, ask) => {
  expect(await ask(events)).toEqual(await ask(nodeEvents))
})
