import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs git as somebody who is not in the box. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const by = ['-c', 'user.name=Grace', '-c', 'user.email=grace@test', '-c', 'init.defaultBranch=main']
  const { stdout } = await run('git', [...by, ...args], { cwd })
  return stdout.trim()
}

/** A repository behind HTTP that asks for a password. */
export interface GitRemote {
  /** Scheme, host and port. */
  readonly origin: string
  /** Address of the repository. */
  readonly url: string
  /** The folder of the bare repository. */
  readonly folder: string
  /** User and password of each request that had them. */
  readonly seen: string[]
  /** While it is set, requests wait for it. */
  hold: Promise<void> | undefined
  stop(): Promise<void>
}

export async function startGitRemote(user: string, password: string): Promise<GitRemote> {
  const root = await mkdtemp(join(tmpdir(), 'boxyard-git-remote-'))
  const folder = join(root, 'project.git')
  await git(root, 'init', '--quiet', '--bare', folder)
  await git(folder, 'config', 'http.receivepack', 'true')
  const seen: string[] = []
  const remote = { folder, seen, hold: undefined as Promise<void> | undefined }
  const server = createServer((request, response) => {
    const [, encoded = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? []
    const given = Buffer.from(encoded, 'base64').toString()
    if (given !== '') seen.push(given)
    if (given !== `${user}:${password}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    Promise.resolve(remote.hold)
      .then(() => serve(root, request, response))
      .catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(remote, {
    origin,
    url: `${origin}/project.git`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(root, { recursive: true, force: true })
    },
  })
}

/** Hands a request to git's own program for this. */
async function serve(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://remote')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_USER: 'somebody',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  const output = Buffer.concat(chunks)
  const end = output.indexOf('\r\n\r\n')
  const headers = output
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  const status = headers.find(([name]) => name === 'Status')?.[1]
  response.writeHead(status ? Number.parseInt(status, 10) : 200, Object.fromEntries(headers))
  response.end(output.subarray(end + 4))
}
