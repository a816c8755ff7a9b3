import { writeFile } from 'node:fs/promises'
import { untilReadable } from './editor/untilReadable.ts'
import { withFreshProfile } from './editor/visits.ts'
import { BoxyardServer } from './server/boxyardServer.ts'
const server = await BoxyardServer.start()
const cpu = process.argv.includes('cpu')
const N = 4
try {
  const id = await server.createDevbox('react-vite-ts')
  await server.startDevbox(id)
  const cookies = await server.sessionCookies()
  const address = `${server.origin}/devbox/${id}?file=src%2FApp.tsx`
  for (let i = 0; i <= N; i++) {
    await withFreshProfile(async (context) => {
      await context.addCookies(cookies.map((c) => ({ ...c, url: server.origin.replace('http:', 'https:'), secure: true })))
      const page = await context.newPage()
      const traced = i === N
      const browser = await context.browser()
      const cdp = await context.newCDPSession(page)
      let bytes = 0, reqs = 0
      cdp.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; reqs++ })
      if (process.argv.includes('net')) await cdp.send('Network.enable')
      const events: unknown[] = []
      if (traced) {
        cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value))
        await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: ['devtools.timeline', 'v8', 'blink.user_timing', 'loading', 'toplevel', 'disabled-by-default-v8.compile', ...(cpu ? ['disabled-by-default-v8.cpu_profiler'] : [])] } } as never)
      }
      await page.addInitScript(() => {
        const w = window as never as { viol: string[] }
        w.viol = []
        document.addEventListener('securitypolicyviolation', (e) => w.viol.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sourceFile + ':' + e.lineNumber + ':' + e.columnNumber))
      })
      await page.goto(address, { waitUntil: 'commit' })
      const m = await untilReadable(page)
      console.log(i, JSON.stringify({ first: Math.round(m.firstAt), readable: Math.round(m.readableAt), mb: (bytes / 1e6).toFixed(2), reqs, marks: await page.evaluate('performance.getEntriesByType("mark").filter(m=>m.name.startsWith("bx:")).map(m=>m.name.slice(3)+" "+Math.round(m.startTime)).join(", ")') }))
      if (i === 0) console.log(await page.evaluate('JSON.stringify(window.viol)'))
      if (traced) {
        const done = new Promise((r) => cdp.once('Tracing.tracingComplete', r))
        await cdp.send('Tracing.end')
        await done
        await writeFile('/tmp/speed-trace.json', JSON.stringify(events))
        const res = await page.evaluate('JSON.stringify(performance.getEntriesByType("resource").map(r=>[r.name.replace(location.origin,""),Math.round(r.startTime),Math.round(r.responseEnd),r.transferSize]))')
        await writeFile('/tmp/speed-res.json', res as string)
      }
    })
  }
} finally { await server.stop() }
process.exit(0)
