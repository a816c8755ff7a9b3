import type { FromProcessesPage, ToProcessesPage } from '../common/processMessages.ts'
import { connectFrame } from '../common/connectFrame.ts'

// The page that starts processes: one worker each, on the origin of the preview. It shows nothing.

const PROGRAMS = { node: '/__boxyard/process.js', shell: '/__boxyard/shell.js' }

connectFrame((port) => {
  const workers = new Map<number, Worker>()
  port.onmessage = ({ data }: MessageEvent<ToProcessesPage>) => {
    if (data.type === 'end') {
      workers.get(data.pid)?.terminate()
      workers.delete(data.pid)
      return
    }
    const { pid } = data
    const worker = new Worker(PROGRAMS[data.program], { type: 'module', name: `${data.program} ${pid}` })
    workers.set(pid, worker)
    worker.onerror = ({ message }) =>
      port.postMessage({
        type: 'failed',
        pid,
        message: message || 'The program could not be loaded. Reload the page and try again.',
      } satisfies FromProcessesPage)
    worker.postMessage(data.port, [data.port])
  }
})
