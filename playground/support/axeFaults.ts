import axe from 'axe-core'
import type { Page } from 'playwright-core'

export interface AxeFault {
  /** The name of the rule of axe. */
  rule: string
  /** The beginning of the element. */
  element: string
  detail: string
}

/** A fault that is not ours to mend. */
export interface KnownFault {
  rule: string
  /** What the element matches. */
  selector: string
  reason: string
}

/** Looks at pages with axe, and remembers which of the known faults it met. */
export class Axe {
  readonly #known: readonly KnownFault[]
  readonly #met = new Set<KnownFault>()

  constructor(known: readonly KnownFault[]) {
    this.#known = known
  }

  /** What axe calls serious or critical on the page as it is shown now, except what is known. Frames are other pages. */
  async faults(page: Page): Promise<AxeFault[]> {
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
    await page.evaluate(animationsEnd)
    const found = await page.evaluate(faultsInPage, [...this.#known])
    for (const { known } of found) if (known !== -1) this.#met.add(this.#known[known]!)
    return found.filter(({ known }) => known === -1).map(({ rule, element, detail }) => ({ rule, element, detail }))
  }

  /** The known faults that were not met: they are mended, and are known no longer. */
  get mended(): KnownFault[] {
    return this.#known.filter((fault) => !this.#met.has(fault))
  }
}

/** Runs in the page. What fades in or out has the colors of what shines through. */
async function animationsEnd(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  // One that is taken away does not finish.
  await Promise.allSettled(ending.map(({ finished }) => finished))
}

/** Runs in the page. `known` is the place of the fault among the known ones, or -1. */
async function faultsInPage(known: KnownFault[]): Promise<(AxeFault & { known: number })[]> {
  const { axe: page } = window as unknown as { axe: typeof axe }
  const { violations } = await page.run(document, { iframes: false, resultTypes: ['violations'], elementRef: true })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ element, html, failureSummary = '' }) => ({
        rule: id,
        element: html.slice(0, 200),
        detail: failureSummary,
        known: known.findIndex(({ rule, selector }) => rule === id && element?.matches(selector) === true),
      })),
    )
}
