import { describe, expect, it } from 'vitest'
import type { SpawnRequest } from '../common/processMessages.ts'
import { ProcessFiles } from '../process/processFiles.ts'
import type { ChildEvents } from '../process/programLink.ts'
import { interpret } from './interpret.ts'
import type { ShellState, Streams } from './shellState.ts'

const project = {
  'package.json': JSON.stringify({
    name: 'p',
    scripts: {
      prebuild: 'echo before',
      build: 'echo building $npm_lifecycle_event',
      fail: 'false',
      serve: 'node server.js',
    },
    dependencies: { left: '^1.0.0' },
  }),
  'src/a.ts': 'one\ntwo\nthree\n',
  'src/b.ts': 'two\n',
  'read me.txt': 'blank\n',
}

function begin() {
  const files = new ProcessFiles(() => undefined)
  files.fill(Object.entries(project).map(([path, text]) => [`/nodebox/${path}`, text] as const))
  const spawned: SpawnRequest[] = []
  const asked: string[] = []
  const state: ShellState = {
    files,
    cwd: '/nodebox',
    env: { HOME: '/nodebox', NAME: 'a  b' },
    lastStatus: 0,
    isTerminal: false,
    exitStatus: null,
    front: null,
    /** A program that says what it is given, and ends with what stands behind `exit`. */
    spawn: (request, events: ChildEvents) => {
      spawned.push(request)
      let given = ''
      const end = () => {
        events.onOut(1, `ran ${request.argv.join(' ')}${given === '' ? '' : ` with ${given}`}\n`)
        events.onExit(Number(request.argv[request.argv.indexOf('exit') + 1] ?? 0) || 0, null)
      }
      return {
        write: (data) => {
          if (data === null) end()
          else given += String(data)
        },
        signal: () => undefined,
        tell: () => undefined,
        disconnect: () => undefined,
      }
    },
    changeDependency: async (command) => {
      asked.push(command)
      return { value: `Done: ${command}` }
    },
    versions: async () => ({ left: '1.2.3' }),
    processes: async () => [
      { pid: 101, ppid: 1, command: 'sh -c npm run dev', ports: [] },
      { pid: 102, ppid: 101, command: 'node server.js', ports: [3000, 3001] },
    ],
    signal: async (pid, signal) => {
      if (pid !== 102) throw new Error('kill ESRCH')
      asked.push(`${signal} ${pid}`)
    },
    runLine: (line, given, streams) => interpret(line, given, streams),
  }
  const run = async (line: string) => {
    let out = ''
    let err = ''
    const streams: Streams = { input: null, out: (text) => (out += text), err: (text) => (err += text) }
    const status = await interpret(line, state, streams)
    return { out, err, status }
  }
  return { state, files, spawned, asked, run }
}

describe('the shell', () => {
  it.each([
    ['echo one && false || echo two; echo $?', 'one\ntwo\n0\n'],
    ['cat src/*.ts | grep two | wc -l', '2\n'],
    ['echo "$NAME" $NAME \'$NAME\' ~', 'a  b a b $NAME /nodebox\n'],
    ['X=1; echo $X ${Y:-none} $((X + 41))', '1 none 42\n'],
    ['echo $(cat src/b.ts; pwd)', 'two /nodebox\n'],
    ['(cd src && pwd); pwd', '/nodebox/src\n/nodebox\n'],
    ['cat < "read me.txt"', 'blank\n'],
    ['echo a > x; echo b >> x; cat x; rm x; test -e x || echo gone', 'a\nb\ngone\n'],
    ['ls none 2> /dev/null; echo $?', '2\n'],
    ['head -n 1 src/a.ts; tail -1 src/a.ts; sort -r src/a.ts | uniq', 'one\nthree\ntwo\nthree\none\n'],
    ['grep -rn two src', 'src/a.ts:2:two\nsrc/b.ts:1:two\n'],
    ['/bin/cat src/b.ts; /usr/bin/echo a', 'two\na\n'],
    ['find src -name "*.ts"', 'src/a.ts\nsrc/b.ts\n'],
  ])('BB839: %s', async (line, expected) => {
    expect(await begin().run(line)).toMatchObject({ out: expected })
  })

  it('BB839: changes files as such commands do, and says what it could not do', async () => {
    const { run, files } = begin()
    await run('mkdir -p deep/er && cp -r src deep/er && mv "read me.txt" deep && touch new && rm -r src')
    expect([files.isFile('/nodebox/deep/er/src/a.ts'), files.isFile('/nodebox/deep/read me.txt')]).toEqual([true, true])
    expect([files.isFile('/nodebox/new'), files.find('/nodebox/src')]).toEqual([true, undefined])
    const failed = await run('rm deep; cat none; cd none; mkdir deep')
    expect(failed).toMatchObject({
      status: 1,
      err: 'rm: deep: is a directory\ncat: none: no such file or directory\ncd: none: no such file or directory\nmkdir: deep: file already exists\n',
    })
    expect((await run('echo "open')).err).toContain("can't be read")
    expect((await run('if true; then echo x; fi')).err).toContain('if: loops, conditions and functions are not there')
  })

  it('BB839: hands programs their words, what is piped into them, and variables of the line', async () => {
    const { run, spawned } = begin()
    const { out, status } = await run('echo hello | A=1 node "two words.js" exit 3; echo $?')
    expect([out, status]).toEqual(['ran two words.js exit 3 with hello\n\n3\n', 0])
    expect(spawned[0]).toMatchObject({ program: 'node', cwd: '/nodebox', env: { A: '1' }, inherits: false })
  })

  it('BB840: runs scripts of package.json with what comes before them, and ends with their status', async () => {
    const { run, spawned } = begin()
    expect(await run('npm run build')).toMatchObject({
      status: 0,
      out: '\n> prebuild\n> echo before\n\nbefore\n\n> build\n> echo building $npm_lifecycle_event\n\nbuilding build\n',
    })
    expect((await run('npm run fail')).status).toBe(1)
    expect(await run('npm run none')).toMatchObject({ status: 1, err: expect.stringContaining('no script "none"') })
    void run('npm run serve')
    await expect.poll(() => spawned.length).toBe(1)
    expect(spawned[0]).toMatchObject({ argv: ['server.js'], env: { npm_lifecycle_event: 'serve' } })
  })

  it('BB840: adds, removes and lists packages', async () => {
    const { run, asked } = begin()
    expect((await run('npm install a @b/c@^2 && npm rm left')).out).toContain('Done: dependency add a\n')
    expect(asked).toEqual(['dependency add a', 'dependency add @b/c@^2', 'dependency remove left'])
    expect((await run('npm ls')).out).toBe('p /nodebox\n└── left@1.2.3\n')
  })

  it('BB841: says what needs a machine, and what it does not know', async () => {
    const { run } = begin()
    expect(await run('git status')).toMatchObject({
      status: 127,
      err: expect.stringMatching(/not in browser mode.*devbox/),
    })
    expect(await run('npm publish')).toMatchObject({
      status: 1,
      err: expect.stringContaining('not there in browser mode'),
    })
    expect(await run('sleep 1 &')).toMatchObject({ status: 1, err: expect.stringContaining('another terminal') })
  })

  it('BB1039: shows what runs, and ends it by its number', async () => {
    const { run, asked } = begin()
    const { out } = await run('ps')
    expect(out.split('\n').map((line) => line.trim().split(/\s+/))).toEqual([
      ['PID', 'PPID', 'PORT', 'COMMAND'],
      ['101', '1', '-', 'sh', '-c', 'npm', 'run', 'dev'],
      ['102', '101', '3000,3001', 'node', 'server.js'],
      [''],
    ])
    expect(await run('kill 102 && kill -9 102 && kill -s int 102 && kill -SIGHUP 102 && kill -0 102')).toMatchObject({
      err: '',
      status: 0,
    })
    expect(asked).toEqual(['SIGTERM 102', 'SIGKILL 102', 'SIGINT 102', 'SIGHUP 102', '0 102'])
    expect(await run('kill 7 no')).toMatchObject({
      err: 'kill: 7: no such process\nkill: no: this is no number of a process\n',
      status: 1,
    })
    expect(await run('kill')).toMatchObject({ err: 'kill: which process? ps shows them\n', status: 2 })
  })
})
