/** What one of Express's own examples is asked, and what it has to answer. */
export interface Ask {
  path: string
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  status?: number
  shows: RegExp
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const BOUNDARY = 'sample'
const part = (name: string, more: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

/** Examples of Express by their folder, asked as its own tests of them do. */
export const expressExamples: Readonly<Record<string, readonly Ask[]>> = {
  auth: [
    { path: '/', status: 302, shows: /login/ },
    { path: '/login', shows: /<form/ },
    {
      path: '/login',
      method: 'POST',
      headers: FORM,
      body: 'username=tj&password=foobar',
      status: 302,
      shows: /Redirecting/,
    },
  ],
  'content-negotiation': [
    { path: '/', headers: { accept: 'text/html' }, shows: /<ul><li>Tobi<\/li>/ },
    { path: '/users', headers: { accept: 'application/json' }, shows: /"name":"Tobi"/ },
  ],
  'cookie-sessions': [{ path: '/', shows: /viewed 1 times/ }],
  cookies: [
    { path: '/', shows: /<form/ },
    { path: '/', method: 'POST', headers: FORM, body: 'remember=1', status: 302, shows: /Redirecting/ },
  ],
  downloads: [
    { path: '/', shows: /amazing\.txt/ },
    { path: '/files/amazing.txt', shows: /what an amazing download/ },
    { path: '/files/missing.txt', status: 404, shows: /Cant find/ },
  ],
  ejs: [{ path: '/', shows: /tobi@learnboost\.com/ }],
  error: [
    { path: '/', status: 500, shows: /something broke|Internal Server Error/ },
    { path: '/next', status: 500, shows: /./ },
  ],
  'error-pages': [
    { path: '/', shows: /Pages Example/ },
    { path: '/missing', headers: { accept: 'application/json' }, status: 404, shows: /Not found/ },
    { path: '/500', headers: { accept: 'text/plain' }, status: 500, shows: /keyboard cat/ },
  ],
  'hello-world': [{ path: '/', shows: /^Hello World$/ }],
  markdown: [
    { path: '/', shows: /<h1[^>]*>Markdown Example<\/h1>/ },
    { path: '/fail', status: 500, shows: /./ },
  ],
  'multi-router': [
    { path: '/', shows: /Hello from root route/ },
    { path: '/api/v2/users', shows: /List of APIv2 users/ },
  ],
  multipart: [
    { path: '/', shows: /<form/ },
    {
      path: '/',
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: `${part('title', '', 'words')}${part('image', '; filename="a.png"', 'bytes')}--${BOUNDARY}--\r\n`,
      shows: /uploaded a\.png .* as words/,
    },
  ],
  mvc: [
    { path: '/', status: 302, shows: /users/ },
    { path: '/users', shows: /Tobi/ },
    { path: '/pet/0', shows: /Tobi/ },
    {
      path: '/user/1',
      method: 'POST',
      headers: FORM,
      body: '_method=put&user[name]=Loki2',
      status: 302,
      shows: /user\/1/,
    },
  ],
  params: [
    { path: '/user/0', shows: /user tj/ },
    { path: '/users/0-2', shows: /users tj, tobi, loki/ },
    { path: '/user/9', status: 404, shows: /failed to find user/ },
  ],
  resource: [
    { path: '/users/1', shows: /"name":"ciaran"/ },
    { path: '/users/1..3.json', shows: /ciaran.*aaron.*guillermo/ },
    { path: '/users/1', method: 'DELETE', shows: /destroyed/ },
  ],
  'route-map': [
    { path: '/users', shows: /user list/ },
    { path: '/users/12/pets', shows: /user 12's pets/ },
    { path: '/users', method: 'DELETE', shows: /delete users/ },
  ],
  'route-middleware': [
    { path: '/user/0', shows: /Viewing user tj/ },
    { path: '/user/1', method: 'DELETE', shows: /./, status: 500 },
  ],
  'route-separation': [
    { path: '/users', shows: /TJ/ },
    { path: '/user/1/edit', shows: /<form/ },
    { path: '/posts', shows: /Posts/ },
  ],
  session: [{ path: '/', shows: /(?:Viewed|viewed).*1/ }],
  'static-files': [
    { path: '/hello.txt', shows: /hey/ },
    { path: '/js/app.js', shows: /foo/ },
    { path: '/static/hello.txt', shows: /hey/ },
  ],
  vhost: [
    { path: '/', headers: { host: 'example.com' }, shows: /Hello from main app/ },
    { path: '/', headers: { host: 'foo.example.com' }, status: 302, shows: /example\.com:3000\/foo/ },
  ],
  'view-locals': [{ path: '/', shows: /Tobi/ }],
  'web-service': [
    { path: '/api/users', status: 400, shows: /api key required/ },
    { path: '/api/users/?api-key=foo', shows: /"name":"tobi"/ },
    { path: '/api/user/tobi/repos?api-key=foo', shows: /express/ },
  ],
}
