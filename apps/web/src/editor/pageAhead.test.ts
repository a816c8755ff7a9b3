import { expect, it } from 'vitest'
import { isPageAhead, whenPageWanted } from './pageAhead.ts'

class Page extends EventTarget {
  prerendering = true
  show(): void {
    this.prerendering = false
    this.dispatchEvent(new Event('prerenderingchange'))
  }
}

it('WB1070: a page that is made ahead waits until somebody looks at it, another page for nothing', async () => {
  const page = new Page() as Page & Document
  let isWanted = false
  const wanted = whenPageWanted(page).then(() => (isWanted = true))
  expect(isPageAhead(page)).toBe(true)
  await whenPageWanted({ addEventListener: () => {} } as never)
  expect(isWanted).toBe(false)
  page.show()
  await wanted
  expect(isPageAhead(page)).toBe(false)
  await whenPageWanted(page)
})
