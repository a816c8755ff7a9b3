import { expect, it } from 'vitest'
import { isPageAhead, whenPageWanted } from './pageAhead.ts'

class Page extends EventTarget {
  prerendering = true
  show(): void {
    this.prerendering = false
    this.dispatchEvent(new Event('prerenderingchange'))
  }
}

it('WB1070: a page that is made ahead waits until somebody sees it, another page for nothing', async () => {
  const page = new Page() as Page & Document
  const wanted = whenPageWanted(page, (then) => then())
  expect(isPageAhead(page)).toBe(true)
  await whenPageWanted({ addEventListener: () => {} } as never)
  page.show()
  await wanted
  expect(isPageAhead(page)).toBe(false)
  await whenPageWanted(page)
})

it('WB1091: what waits for somebody begins after the frame that shows the page', async () => {
  const page = new Page() as Page & Document
  let isWanted = false
  let isDrawn: (() => void) | undefined
  const wanted = whenPageWanted(page, (then) => (isDrawn = then)).then(() => (isWanted = true))
  expect(isDrawn).toBeUndefined()
  page.show()
  await whenPageWanted(page)
  expect(isWanted).toBe(false)
  isDrawn!()
  await wanted
})
