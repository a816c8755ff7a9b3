import type { CDPSession, Locator, Page } from 'playwright-core'

export interface Point {
  x: number
  y: number
}

/** One finger on the glass of a page: what it does goes through the browser's own handling of touch. */
export class Finger {
  readonly #page: Page
  readonly #session: Promise<CDPSession>

  constructor(page: Page) {
    this.#page = page
    this.#session = page.context().newCDPSession(page)
    this.#session.catch(() => undefined)
  }

  async tap(where: Locator | Point): Promise<void> {
    await this.#down(await pointOf(where))
    await this.#up()
  }

  /** Two taps at one place, sent without waiting in between: what a busy page counts as two is measured in time. */
  async tapTwice(where: Locator | Point): Promise<void> {
    const point = await pointOf(where)
    await Promise.all([this.#down(point), this.#up(), this.#down(point), this.#up()])
  }

  /** Long enough to be no tap any more, which browsers and the editor measure in time. */
  async hold(where: Locator | Point): Promise<void> {
    await this.#down(await pointOf(where))
    const began = await this.#page.evaluate(() => Date.now())
    await this.#page.waitForFunction((from) => Date.now() - from > 800, began)
    await this.#up()
  }

  async drag(from: Locator | Point, by: { x?: number; y?: number }): Promise<void> {
    const { x, y } = await pointOf(from)
    const steps = 8
    await this.#down({ x, y })
    for (let done = 1; done <= steps; done += 1)
      await this.#move({ x: x + ((by.x ?? 0) * done) / steps, y: y + ((by.y ?? 0) * done) / steps })
    await this.#up()
  }

  #down(point: Point): Promise<void> {
    return this.#send('touchStart', [point])
  }

  #move(point: Point): Promise<void> {
    return this.#send('touchMove', [point])
  }

  #up(): Promise<void> {
    return this.#send('touchEnd', [])
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]): Promise<void> {
    await (await this.#session).send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}

async function pointOf(where: Locator | Point): Promise<Point> {
  if ('x' in where) return where
  const element = await where.elementHandle()
  // Menus are shown before they are in their place.
  await element?.waitForElementState('stable')
  const box = await element?.boundingBox()
  if (!box) throw new Error(`${String(where)} is not shown`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
