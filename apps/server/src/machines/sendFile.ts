import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'

/**
 * Answers with the content of a file and closes the connection. A program of its own copies it: its bytes do not pass through this process,
 * which would keep everybody else waiting, and more than double the time that a large file takes.
 */
export async function sendFile(file: FileHandle, type: string, response: ServerResponse): Promise<void> {
  const { size } = await file.stat()
  const { socket } = response
  if (socket === null || socket.destroyed) return
  response.writeHead(200, { 'content-type': type, 'content-length': size, connection: 'close' })
  response.flushHeaders()
  // What is written to a socket arrives in order: once nothing is taken, the headers are.
  await new Promise<void>((resolve, reject) => socket.write('', (error) => (error ? reject(error) : resolve())))
  const copy = spawn('cat', [], { stdio: [file.fd, socket, 'ignore'] })
  socket.once('close', () => copy.kill('SIGKILL'))
  try {
    await once(copy, 'close')
  } finally {
    socket.destroy()
  }
}
