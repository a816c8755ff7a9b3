import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { gitEnvironment } from '../git/runGit.ts'

export interface BackendRequest {
  /** The folder of the repository. */
  folder: string
  /** `/info/refs`, `/git-upload-pack` or `/git-receive-pack`. */
  path: string
  method: 'GET' | 'POST'
  query: string
  headers: { contentType?: string | undefined; contentEncoding?: string | undefined; gitProtocol?: string | undefined }
  /** Login of whoever pushes; without one git refuses to receive. */
  user: string | null
  body: Readable | null
  config?: Readonly<Record<string, string>>
  /** Ends git when whoever asked went away. */
  signal: AbortSignal
}

export interface BackendAnswer {
  status: number
  headers: Record<string, string>
  body: Readable
  /** Resolves when git has ended, with whether it ended well. */
  ended: Promise<boolean>
}

const LONGEST_HEAD = 8192

/** Runs `git http-backend` for one request and reads the head of its CGI answer. */
export function httpBackend(request: BackendRequest): Promise<BackendAnswer> {
  return new Promise((resolve, reject) => {
    const { headers, signal } = request
    const child = spawn('git', ['http-backend'], {
      cwd: request.folder,
      stdio: ['pipe', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
      env: {
        ...gitEnvironment({ 'http.receivepack': request.user === null ? 'false' : 'true', ...request.config }),
        GIT_PROJECT_ROOT: request.folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: request.path,
        REQUEST_METHOD: request.method,
        QUERY_STRING: request.query,
        CONTENT_TYPE: headers.contentType ?? '',
        ...(headers.contentEncoding === undefined ? {} : { HTTP_CONTENT_ENCODING: headers.contentEncoding }),
        ...(headers.gitProtocol === undefined ? {} : { GIT_PROTOCOL: headers.gitProtocol }),
        ...(request.user === null ? {} : { REMOTE_USER: request.user }),
      },
    })
    const ended = new Promise<boolean>((done) => child.once('close', (status) => done(status === 0)))
    child.once('error', (error) => (signal.aborted ? undefined : reject(error)))
    child.stdin.on('error', () => undefined)
    if (request.body === null) child.stdin.end()
    else {
      request.body.once('error', () => child.kill('SIGKILL'))
      request.body.pipe(child.stdin)
    }

    let head = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) {
        if (head.length > LONGEST_HEAD) child.kill('SIGKILL')
        return
      }
      child.stdout.off('data', onData).pause()
      child.stdout.unshift(head.subarray(end + 4))
      const lines = head.toString('latin1', 0, end).split('\r\n')
      const pairs = lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ])
      const { status = '200', ...answered } = Object.fromEntries(pairs) as Record<string, string>
      resolve({ status: Number.parseInt(status, 10), headers: answered, body: child.stdout, ended })
    }
    child.stdout.on('data', onData)
    void ended.then(() => reject(new Error('git http-backend ended without an answer')))
  })
}
