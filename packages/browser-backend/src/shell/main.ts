import { PROJECT, ProcessFiles } from '../process/processFiles.ts'
import type { ShownProcess } from '../common/processMessages.ts'
import { HARMLESS, SIGNALS } from '../common/signals.ts'
import { ProgramLink } from '../process/programLink.ts'
import { commands } from './commands.ts'
import { interpret } from './interpret.ts'
import { LineEditor } from './lineEditor.ts'
import { writeDirect } from './programs.ts'
import { promptFor } from './prompt.ts'
import type { ShellState, Streams } from './shellState.ts'

// The shell of a sandbox: a process like any other, in a worker on the origin of the preview.

const ENVIRONMENT_OF_SHELL = { SHELL: '/bin/sh' }

async function run(port: MessagePort): Promise<void> {
  const link = new ProgramLink(port)
  const start = await link.begin()
  const files = new ProcessFiles((change) => link.send({ type: 'write', change }))
  files.fill([...start.files].map(([inside, content]) => [PROJECT + inside, content] as const))
  for (const folder of start.folders) files.addFolder(PROJECT + folder)
  const write = writeDirect((text) => text !== '' && link.send({ type: 'out', fd: 1, data: text }))
  const state: ShellState = {
    files,
    cwd: start.cwd,
    env: { ...start.env, ...ENVIRONMENT_OF_SHELL, PWD: start.cwd },
    lastStatus: 0,
    isTerminal: start.terminal !== null,
    exitStatus: null,
    front: null,
    spawn: (request, events) => link.spawn(request, events),
    changeDependency: (command) => link.ask({ type: 'dependency', command }),
    versions: async () => (await link.ask({ type: 'versions' })).value as Readonly<Record<string, string>>,
    processes: async () => (await link.ask({ type: 'processes' })).value as readonly ShownProcess[],
    signal: (pid, signal) => link.ask({ type: 'signal', pid, signal }),
    runLine: (line, given, streams) => interpret(line, given, streams),
  }
  const err =
    start.terminal === null ? (text: string) => text !== '' && link.send({ type: 'out', fd: 2, data: text }) : write
  /** The last signal that came. */
  let heard: string | undefined
  /** A shell whose last program was ended by a signal that it handed on ends by that too. */
  const end = (code: number) => {
    const signal = heard !== undefined && code === 128 + (SIGNALS[heard] ?? 0) ? heard : null
    link.send({ type: 'exit', code, signal })
  }

  const isInteractive = start.argv.includes('-i')
  const line = start.argv[start.argv.indexOf('-c') + 1]
  let typed = ''
  let isBusy = !isInteractive
  let editor: LineEditor | undefined
  /** What is piped into a shell that runs one line. */
  let finishInput: (text: string) => void = () => undefined
  const piped = start.terminal === null ? new Promise<string>((resolve) => (finishInput = resolve)) : null
  let pipedText = ''

  const type = () => {
    // A line that is run holds back what stands behind it.
    if (isBusy || typed === '' || !editor) return
    const given = typed
    typed = ''
    typed = editor.take(given) + typed
    type()
  }
  link.onMessage = (message) => {
    switch (message.type) {
      case 'files':
        return files.adopt(message.changes)
      case 'stored':
        files.stored(message.paths)
        if (message.error !== null) err(`${message.paths.join(', ')} could not be stored: ${message.error}\n`)
        return undefined
      case 'stdin': {
        const data =
          message.data === null
            ? null
            : typeof message.data === 'string'
              ? message.data
              : new TextDecoder().decode(message.data)
        if (!start.terminal) {
          if (data === null) finishInput(pipedText)
          else pipedText += data
          return undefined
        }
        if (isBusy) return feedProgram(data ?? '\u0004')
        typed += data ?? '\u0004'
        return type()
      }
      case 'signal':
        link.send({ type: 'took' })
        if (HARMLESS.has(message.signal)) return undefined
        if (!isInteractive) heard = message.signal
        if (state.front) return state.front.signal(message.signal)
        return isInteractive && message.signal === 'SIGINT' ? undefined : end(128 + (SIGNALS[message.signal] ?? 15))
      default:
        return undefined
    }
  }
  /** What is typed while a program runs, as a terminal hands it on: with what is seen of it, and keys that are signals. */
  const feedProgram = (data: string): void => {
    // eslint-disable-next-line no-control-regex
    for (const part of data.split(/([\u0003\u0004\u001c])/)) {
      if (part === '') continue
      if (part === '\u0003' || part === '\u001c') {
        write('^C\n')
        typed = ''
        state.front?.signal('SIGINT')
      } else if (part === '\u0004') {
        state.front?.write(null)
      } else if (state.front) {
        const text = part.replaceAll('\r', '\n')
        write(text)
        state.front.write(text)
      } else {
        typed += part
      }
    }
  }

  const streams: Streams = { input: piped, out: write, err: start.terminal === null ? err : write }
  if (!isInteractive) {
    const status = await interpret(line ?? '', state, streams)
    return end(state.exitStatus ?? status)
  }
  const made = new LineEditor({
    state,
    names: [...Object.keys(commands), 'node'].toSorted(),
    write,
    prompt: () => promptFor(state.cwd),
    onEnd: () => {
      write('exit\n')
      end(state.lastStatus)
    },
    onLine: (text) => {
      isBusy = true
      interpret(text, state, streams)
        .catch((error: unknown) => err(`sh: ${error instanceof Error ? error.message : String(error)}\n`))
        .finally(() => {
          if (state.exitStatus !== null) return end(state.exitStatus)
          isBusy = false
          made.begin()
          return type()
        })
    },
  })
  editor = made
  if (!start.argv.includes('--prompted')) made.begin()
  type()
  return undefined
}

self.onmessage = ({ data }: MessageEvent<MessagePort>) => {
  self.onmessage = null
  void run(data)
}
