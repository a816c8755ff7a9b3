import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from './testing/folders.ts'
import { runServer } from './testing/program.ts'
import type { Program } from './testing/program.ts'
import { freePort } from './testing/server.ts'

const cleanUps: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

function newHome(): string {
  const home = temporaryFolder('home')
  cleanUps.push(() => rmSync(home, { recursive: true, force: true }))
  return home
}

const settings = async (home: string) => ({
  BOXYARD_HOME: home,
  PORT: String(await freePort()),
  BOXYARD_NPM_REGISTRY: 'http://registry.test',
  BOXYARD_PIP_INDEX: 'http://index.test/simple',
})

function run(environment: Record<string, string>): Program {
  const program = runServer(environment)
  cleanUps.push(async () => {
    program.kill('SIGTERM')
    await program.exited
  })
  return program
}

function postgresPid(home: string): number {
  return Number(readFileSync(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`)
const health = async (port: string) => (await fetch(`http://127.0.0.1:${port}/api/health`)).status

describe('the server', () => {
  it('survives kill -9 of itself and of PostgreSQL, and stops with everything it started', async () => {
    const home = newHome()
    const environment = await settings(home)
    const first = run(environment)
    await first.says(`Boxyard is at http://app.boxyard.localhost:${environment.PORT}`)
    expect(await health(environment.PORT)).toBe(200)
    const pid = postgresPid(home)

    const rival = run({ ...(await settings(home)), LOG_LEVEL: 'silent' })
    expect((await rival.exited).code).toBe(1)
    expect(rival.output()).toBe(
      `Another server (process ${first.pid}) uses ${home}. Stop it first, or set BOXYARD_HOME to another folder.\n`,
    )

    first.kill('SIGKILL')
    await first.exited
    expect(isAlive(pid)).toBe(true)
    const second = run(environment)
    await second.says('went on with the PostgreSQL of an earlier run')
    await second.says('Boxyard is at')
    expect(postgresPid(home)).toBe(pid)
    expect(await health(environment.PORT)).toBe(200)

    second.kill('SIGKILL')
    await second.exited
    process.kill(pid, 'SIGKILL')
    const third = run(environment)
    await third.says('Boxyard is at')
    const successor = postgresPid(home)
    expect(successor).not.toBe(pid)
    expect(third.output()).not.toContain('made a PostgreSQL database')
    expect(await health(environment.PORT)).toBe(200)
    third.kill('SIGTERM')
    expect(await third.exited).toEqual({ code: 0, signal: null })
    expect(isAlive(successor)).toBe(false)
  })

  it('says in one line that its port is taken, and leaves nothing running', async () => {
    const home = newHome()
    const other = createTcpServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    cleanUps.push(() => new Promise((resolve) => other.close(() => resolve())))
    const port = String((other.address() as AddressInfo).port)
    const program = run({ ...(await settings(home)), PORT: port, LOG_LEVEL: 'silent' })
    expect(await program.exited).toEqual({ code: 1, signal: null })
    expect(program.output()).toBe(`Port ${port} is in use. Stop the other program or set PORT.\n`)
    expect(existsSync(join(home, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
  })

  it('does not start with settings that are not valid', async () => {
    const program = run({ PORT: 'none', BOXYARD_HOEM: '/tmp' })
    expect((await program.exited).code).toBe(1)
    expect(program.output()).toContain('PORT: "none" is not valid; expected a number from 1 to 65535.')
    expect(program.output()).toContain('BOXYARD_HOEM is not a setting of Boxyard')
  })
})
