import { createServer, connect, type AddressInfo, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, preview, type PreviewServer } from 'vite'
import { RealDevServer } from '../dev-server-client/src/testing/realDevServer.ts'

/** `BOXYARD_FUZZ_SEEDS` sets how many seeds are tried with and without losses, `BOXYARD_FUZZ_FIRST_SEED` the first of them. See `npm run fuzz`. */
const SEEDS = Number(process.env['BOXYARD_FUZZ_SEEDS'] ?? 2)
const FIRST_SEED = Number(process.env['BOXYARD_FUZZ_FIRST_SEED'] ?? 1)
const STEPS = 120
const CONFIG = fileURLToPath(new URL('./dev/ownership/vite.config.ts', import.meta.url))
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

describe('editors in a browser whose people undo while others edit, on a real dev server', { timeout: 0 }, () => {
  let devServer: RealDevServer
  /** Browsers know no unix sockets. */
  let bridge: Server
  let server: PreviewServer
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    await build({ configFile: CONFIG, logLevel: 'error' })
    server = await preview({ configFile: CONFIG, logLevel: 'error', preview: { port: 0, host: '127.0.0.1' } })
    devServer = await RealDevServer.start()
    bridge = createServer((socket) => {
      const target = connect(devServer.socketPath)
      socket.pipe(target).pipe(socket)
      // The end of one side is the end of the other.
      socket.on('error', () => target.destroy())
      target.on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => void bridge.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
    page = await browser.newPage()
    await page.exposeFunction('instanceOf', async (name: string) => ({
      ...(await devServer.instance(name)),
      url: `ws://127.0.0.1:${(bridge.address() as AddressInfo).port}/`,
    }))
  })
  afterAll(async () => {
    await browser?.close()
    bridge?.close()
    await devServer?.stop()
    await server?.close()
  })

  async function open(): Promise<void> {
    await page.goto(server.resolvedUrls!.local[0]!)
    await page.waitForFunction(() => 'runSeed' in window)
  }

  async function outcome(breaks: boolean): Promise<{ failures: string[]; undos: number; losses: number }> {
    const failures: string[] = []
    let [undos, losses] = [0, 0]
    await open()
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      try {
        const run = await page.evaluate((options) => window.runSeed(options), { seed, steps: STEPS, breaks })
        undos += run.undos
        losses += run.losses
      } catch (error) {
        failures.push(`Seed ${seed}: ${String(error)}`)
        console.log(failures.at(-1))
        await open()
      }
      const done = seed - FIRST_SEED + 1
      // A long run that is ended before its time has still shown something.
      if (done % 100 === 0)
        console.log(
          `Editors, ${breaks ? 'with losses' : 'connected'}: ${done} seeds from ${FIRST_SEED} on, ${undos} undos, ${losses} losses, ${failures.length} failed`,
        )
    }
    return { failures, undos, losses }
  }

  it(`WB15, WB16: each takes back their own work alone, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, async () => {
    const { failures, undos } = await outcome(false)
    expect(failures).toEqual([])
    expect(undos).toBeGreaterThan(SEEDS * 10)
  })

  it(`WB15, WB16: the same over lost connections, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, async () => {
    const { failures, undos, losses } = await outcome(true)
    expect(failures).toEqual([])
    expect(undos).toBeGreaterThan(SEEDS * 10)
    expect(losses).toBeGreaterThan(0)
  })
})
