import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMachines } from '../../machines/createMachines.ts'
import { startTestServer, TEST_ADMIN_TOKEN } from '../../testing/server.ts'
import type { TestServer } from '../../testing/server.ts'

export interface SdkAnswer {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read single members of many kinds of answer
  body: any
}

export interface SdkServer {
  server: TestServer
  baseUrl: string
  /** Calls the API below `/csb/sdk` without the SDK. */
  call(method: string, path: string, options?: { key?: string; body?: unknown }): Promise<SdkAnswer>
  /** Runs the `csb` command of the SDK. */
  csb(...args: string[]): Promise<{ code: number | null; output: string }>
}

const cli = join(dirname(fileURLToPath(import.meta.resolve('@codesandbox/sdk'))), '../bin/codesandbox.mjs')

/** A whole server with real boxes, as the SDK sees it. */
export async function startSdkServer(): Promise<SdkServer> {
  const server = await startTestServer({ BOXYARD_DRIVER: 'bwrap' }, { machines: createMachines })
  const baseUrl = `http://localhost:${server.port}/csb/sdk`
  return {
    server,
    baseUrl,
    async call(method, path, { key = TEST_ADMIN_TOKEN, body } = {}) {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    },
    csb: (...args) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [cli, ...args], {
          env: {
            PATH: process.env['PATH'],
            HOME: process.env['HOME'],
            CSB_API_KEY: TEST_ADMIN_TOKEN,
            CSB_BASE_URL: baseUrl,
            CI: 'true',
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        let output = ''
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => (output += text))
        }
        child.once('error', reject)
        child.once('close', (code) => resolve({ code, output }))
      }),
  }
}
