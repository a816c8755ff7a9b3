import { chromium } from 'playwright-core'
const [url, out, wait = '6000', script] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 } })
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type())) console.log(`[${m.type()}]`, m.text().slice(0, 400))
  })
  page.on('pageerror', (e) => console.log('[pageerror]', (e.stack ?? e.message).slice(0, 900)))
  page.on('requestfailed', (r) => console.log('[failed]', r.url().slice(0, 200)))
  await page.goto(url)
  await page.waitForTimeout(Number(wait))
  if (script) await (await import(script)).default(page)
  await page.screenshot({ path: out })
} finally {
  await browser.close()
}
