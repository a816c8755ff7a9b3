/** What a server is asked. */
export interface Step {
  method?: string
  path?: string
  headers?: Readonly<Record<string, string>>
  /** As a form sends it, if the headers say nothing else. */
  body?: string
  /** The path of a WebSocket, in place of a request. */
  ws?: string
  says?: readonly string[]
  /** After so many messages it is closed. */
  hears?: number
}

/** Answers of a server and what it is started by; steps share their cookies. */
export interface Asked {
  name: string
  file: string
  cwd?: string
  port: number
  steps: readonly Step[]
}

const get = (...paths: string[]): Step[] => paths.map((path) => ({ path }))
const post = (path: string, body: string, method = 'POST'): Step => ({ method, path, body })
const accept = (path: string, accepted: string): Step => ({ path, headers: { accept: accepted } })
const json = 'application/json'

/** What Express's own acceptance tests ask its examples, and a little for those that have none. */
const EXPRESS: Readonly<Record<string, readonly Step[]>> = {
  auth: [
    ...get('/', '/login', '/restricted'),
    post('/login', 'username=not-tj&password=foobar'),
    ...get('/login'),
    post('/login', 'username=tj&password=foobar'),
    ...get('/restricted', '/logout', '/restricted'),
  ],
  'content-negotiation': ['/', '/users'].flatMap((path) => [
    ...get(path),
    accept(path, 'text/plain'),
    accept(path, json),
  ]),
  'cookie-sessions': get('/', '/', '/'),
  cookies: [...get('/'), post('/', 'remember=1'), ...get('/', '/forget', '/'), post('/', '')],
  downloads: get('/', '/files/notes/groceries.txt', '/files/amazing.txt', '/files/missing.txt', '/files/../index.js'),
  ejs: get('/', '/stylesheets/style.css'),
  error: get('/', '/next', '/missing'),
  'error-pages': ['/', '/403', '/404', '/500'].flatMap((path) => [
    accept(path, 'text/html'),
    accept(path, json),
    accept(path, 'text/plain'),
  ]),
  'hello-world': get('/', '/missing'),
  markdown: get('/', '/fail'),
  'multi-router': get('/', '/api/v1/', '/api/v1/users', '/api/v2/', '/api/v2/users'),
  multipart: [
    ...get('/'),
    {
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'multipart/form-data; boundary=xx' },
      body: '--xx\r\nContent-Disposition: form-data; name="title"\r\n\r\nA cat\r\n--xx\r\nContent-Disposition: form-data; name="image"; filename="cat.png"\r\nContent-Type: image/png\r\n\r\n12345678\r\n--xx--\r\n',
    },
  ],
  mvc: [
    ...get('/', '/pet/0', '/pet/0/edit'),
    post('/pet/3', 'pet[name]=Boots', 'PUT'),
    ...get('/pet/3/edit', '/users', '/user/0', '/user/123', '/user/1/edit'),
    post('/user/1', '', 'PUT'),
    post('/user/1', 'user[name]=Tobo', 'PUT'),
    ...get('/user/1/edit'),
    post('/user/2/pet', 'pet[name]=Snickers'),
    ...get('/user/2', '/style.css'),
  ],
  params: get('/', '/user/0', '/user/9', '/users/0-2', '/users/foo-bar'),
  resource: [
    ...get('/', '/users', '/users/1', '/users/9', '/users/1..3'),
    { method: 'DELETE', path: '/users/1' },
    { method: 'DELETE', path: '/users/9' },
    ...get('/users/1..3.json'),
  ],
  'route-map': [
    ...get('/users', '/users/12', '/users/12/pets'),
    { method: 'DELETE', path: '/users' },
    { method: 'DELETE', path: '/users/12/pets/2' },
  ],
  'route-middleware': get('/', '/user/0', '/user/0/edit', '/user/1/edit', '/user/9'),
  'route-separation': [
    ...get('/', '/users', '/user/0', '/user/10', '/user/0/view', '/user/10/view', '/user/0/edit', '/posts'),
    post('/user/0/edit', 'user[name]=TJ&user[email]=tj-invalid%40vision-media.ca', 'PUT'),
    ...get('/user/0'),
    post('/user/1/edit?_method=PUT', 'user[name]=Tobi&user[email]=tobi-invalid%40vision-media.ca'),
    ...get('/user/1', '/style.css'),
  ],
  session: get('/', '/', '/'),
  'static-files': [
    ...get('/', '/js/app.js', '/hello.txt', '/static/js/app.js', '/js/helper.js', '/css/style.css'),
    { method: 'HEAD', path: '/css/style.css' },
    { path: '/hello.txt', headers: { range: 'bytes=1-2' } },
  ],
  vhost: [
    { path: '/', headers: { host: 'example.com' } },
    { path: '/foo', headers: { host: 'example.com' } },
    { path: '/', headers: { host: 'foo.example.com' } },
    { path: '/', headers: { host: 'bar.example.com' } },
  ],
  'view-locals': get('/', '/middleware', '/middleware-locals'),
  'web-service': [
    ...['/api/users', '/api/repos', '/api/user/loki/repos'].flatMap((path) =>
      get(path, `${path}?api-key=rawr`, `${path}?api-key=foo`),
    ),
    ...get('/api/user/bob/repos?api-key=foo', '/api/something?api-key=bar'),
  ],
}

/** They ask a service that is not here. */
const ELSEWHERE = ['online', 'search', 'view-constructor', 'session/redis']

const WS: Readonly<Record<string, readonly Step[]>> = {
  'server-stats': [...get('/'), { ws: '/', hears: 2 }, { ws: '/', hears: 0 }],
  'express-session-parse': [
    ...get('/', '/app.js'),
    { ws: '/', hears: 0 },
    post('/login', ''),
    { ws: '/', says: ['hello'], hears: 0 },
    { method: 'DELETE', path: '/logout' },
    { ws: '/', hears: 0 },
  ],
}

export const frameworks = {
  express: { steps: EXPRESS, elsewhere: ELSEWHERE, listens: /\.listen\([34]000\b/ },
  ws: { steps: WS, elsewhere: ['ssl.js'], listens: /\.listen\(8080\b/ },
} as const
export type Framework = keyof typeof frameworks
