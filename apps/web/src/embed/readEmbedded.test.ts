import { expect, it } from 'vitest'
import { firstPath, NotPublicError, readBoxText, readEmbedded, textPaths } from './readEmbedded.ts'

const data = {
  id: 'abc',
  title: null,
  v2: false,
  entry: null,
  author: { username: 'ada' },
  directories: [
    { shortid: 'd2', title: 'deep', directory_shortid: 'd1' },
    { shortid: 'd1', title: 'src', directory_shortid: null },
  ],
  modules: [
    { shortid: 'm1', title: 'index.html', directory_shortid: null, code: '<p>', is_binary: false },
    { shortid: 'm2', title: 'App.tsx', directory_shortid: 'd1', code: null, is_binary: false },
    { shortid: 'm3', title: 'a.png', directory_shortid: 'd2', code: '/api/v1/uploads/1/a.png', is_binary: true },
    { shortid: 'm4', title: 'b.png', directory_shortid: null, code: '/gone', is_binary: true },
  ],
}

it('reads what everybody may see, without saying who looks', async () => {
  const asked: [string, RequestCredentials | undefined][] = []
  const embedded = await readEmbedded('a/b', async (address, { credentials }) => {
    asked.push([address, credentials])
    if (address.startsWith('/api/v1/sandboxes/')) return Response.json({ data })
    return address === '/gone' ? new Response(null, { status: 404 }) : new Response(new Uint8Array([1, 2]))
  })
  expect(asked.toSorted()).toEqual([
    ['/api/v1/sandboxes/a%2Fb', 'omit'],
    ['/api/v1/uploads/1/a.png', 'omit'],
    ['/gone', 'omit'],
  ])
  expect([embedded.title, embedded.author]).toEqual(['abc', 'ada'])
  expect([...embedded.files.keys()].toSorted()).toEqual(['/index.html', '/src/App.tsx', '/src/deep/a.png'])
  expect(textPaths(embedded)).toEqual(['/index.html', '/src/App.tsx'])
})

it('says the same of what is private and of what is not there', async () => {
  for (const status of [401, 403, 404])
    await expect(readEmbedded('x', async () => new Response('', { status }))).rejects.toThrow(NotPublicError)
  await expect(readEmbedded('x', async () => new Response('', { status: 500 }))).rejects.toThrow('answered 500')
})

it('opens what is named, else what looks like the beginning', () => {
  const files = new Map([
    ['/z.txt', ''],
    ['/src/App.tsx', ''],
    ['/index.html', ''],
  ])
  expect(firstPath({ files, boxPaths: null, entry: 'index.html' }, 'z.txt')).toBe('/z.txt')
  expect(firstPath({ files, boxPaths: null, entry: 'index.html' }, 'gone.ts')).toBe('/index.html')
  expect(firstPath({ files, boxPaths: null, entry: null }, null)).toBe('/src/App.tsx')
  expect(firstPath({ files: new Map([['/z.txt', '']]), boxPaths: null, entry: null }, null)).toBe('/z.txt')
  expect(firstPath({ files: new Map(), boxPaths: null, entry: null }, null)).toBeUndefined()
})

it('lists the files of a devbox whose machine runs, and reads each when it is looked at', async () => {
  const asked: string[] = []
  const ask = (paths: string[] | null) => async (address: string, init: RequestInit) => {
    expect(init.credentials).toBe('omit')
    asked.push(address)
    if (address.startsWith('/api/v1/'))
      return Response.json({ data: { ...data, v2: true, modules: [], directories: [] } })
    return Response.json({ data: address.includes('/text') ? { text: 'hello' } : { paths } })
  }
  const running = await readEmbedded('abc', ask(['src/a.ts', 'logo.png', 'README.md']))
  expect(textPaths(running)).toEqual(['/README.md', '/src/a.ts'])
  expect(firstPath(running, 'src/a.ts')).toBe('/src/a.ts')
  expect((await readEmbedded('abc', ask(null))).boxPaths).toBeNull()
  expect(await readBoxText('abc', '/src/a b.ts', ask(null))).toBe('hello')
  expect(asked.at(-1)).toBe('/api/vm/abc/files/text?path=src%2Fa+b.ts')
})
