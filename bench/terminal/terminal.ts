/** A program in a pseudo-terminal, seen from where its output is read. */
export interface Terminal {
  /** Calls `listener` with all output from here on. Returns a function that stops it. */
  onData(listener: (text: string) => void): () => void
  write(input: string): void
  close(): Promise<void>
}

export interface Terminals {
  /** Starts a command of bash in a new terminal. */
  start(command: string): Promise<Terminal>
  stop(): Promise<void>
}

const READY = 'READY\r\n'
const DONE = 'DONE\r\n'
/** Stays alive behind it: a pseudo-terminal may lose the last output of a program that has ended. */
const finish = 'echo DONE; read -r'
const MEGABYTE = 1_000_000

/** MB a second of a file of lines that is printed, the end of it included. */
export async function throughput(terminals: Terminals, file: string): Promise<number> {
  const terminal = await terminals.start(`read -r; cat ${file}; ${finish}`)
  try {
    let bytes = 0
    const start = performance.now()
    const isDone = endOf(DONE)
    const done = until(terminal, (text) => {
      bytes += text.length
      return isDone(text)
    })
    terminal.write('\n')
    await done
    return bytes / MEGABYTE / ((performance.now() - start) / 1000)
  } finally {
    await terminal.close()
  }
}

/** Milliseconds from a key to its echo, many times, with pauses of somebody who types very fast. */
export async function echoes(terminals: Terminals, keys: number): Promise<number[]> {
  const terminal = await terminals.start(`stty -icanon -echo; echo READY; cat`)
  try {
    await until(terminal, endOf(READY))
    const took: number[] = []
    for (let key = 0; key < keys; key += 1) {
      await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 30))
      const start = performance.now()
      const echoed = until(terminal, (text) => text.includes('x'))
      terminal.write('x')
      await echoed
      took.push(performance.now() - start)
    }
    return took
  } finally {
    await terminal.close()
  }
}

/** Milliseconds from Ctrl-C during an endless `yes` to what comes behind it. */
export async function interruption(terminals: Terminals): Promise<number> {
  const terminal = await terminals.start(`trap : INT; read -r; yes; ${finish}`)
  try {
    const flows = until(terminal, collect(5 * MEGABYTE))
    terminal.write('\n')
    await flows
    const start = performance.now()
    const ended = until(terminal, endOf(DONE))
    terminal.write('\u0003')
    await ended
    return performance.now() - start
  } finally {
    await terminal.close()
  }
}

/** Whether everything so far ends with this, however it was cut into pieces. */
function endOf(end: string): (text: string) => boolean {
  let tail = ''
  return (text) => {
    tail = (tail + text).slice(-end.length)
    return tail === end
  }
}

function collect(length: number): (text: string) => boolean {
  let seen = 0
  return (text) => (seen += text.length) >= length
}

function until(terminal: Terminal, isIt: (text: string) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = terminal.onData((text) => {
      if (!isIt(text)) return
      stop()
      resolve()
    })
  })
}
