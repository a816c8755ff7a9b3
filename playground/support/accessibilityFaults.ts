import type { Page } from 'playwright-core'

export interface AccessibilityFault {
  rule: 'name' | 'contrast' | 'hidden-focus' | 'parent' | 'document'
  /** The beginning of the element. */
  element: string
  detail: string
}

/** What people use, and so has to be called something. */
const named = new Set([
  'button',
  'checkbox',
  'combobox',
  'image',
  'Iframe',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'tree',
  'treeitem',
])

/**
 * What keeps people with a screen reader, or with weak eyes, from using the page as it is shown now. The names are those that the browser computes
 * itself. `except` are selectors of what is not looked at, with all that is in it.
 */
export async function accessibilityFaults(page: Page, except: readonly string[] = []): Promise<AccessibilityFault[]> {
  return [...(await namelessElements(page, except)), ...(await page.evaluate(faultsInPage, [...except]))]
}

async function namelessElements(page: Page, except: readonly string[]): Promise<AccessibilityFault[]> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('DOM.enable')
    await session.send('Accessibility.enable')
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const faults: AccessibilityFault[] = []
    for (const { ignored, role, name, backendDOMNodeId } of nodes) {
      const kind = String(role?.value)
      if (ignored || !named.has(kind) || String(name?.value ?? '').trim() !== '' || backendDOMNodeId === undefined)
        continue
      const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId })
      const { result } = await session.send('Runtime.callFunctionOn', {
        objectId: object.objectId!,
        functionDeclaration: `function (except) {
          const element = this instanceof Element ? this : this.parentElement
          return except.some((one) => element.closest(one)) || !element.checkVisibility() ? '' : element.outerHTML.slice(0, 160)
        }`,
        arguments: [{ value: except }],
        returnByValue: true,
      })
      if (result.value) faults.push({ rule: 'name', element: String(result.value), detail: `${kind} without a name` })
    }
    return faults
  } finally {
    await session.detach()
  }
}

/** Runs in the page. */
function faultsInPage(except: string[]): AccessibilityFault[] {
  const faults: AccessibilityFault[] = []
  const isLeftOut = (element: Element) => except.some((one) => element.closest(one) !== null)
  const add = (rule: AccessibilityFault['rule'], element: Element, detail: string) => {
    if (!isLeftOut(element)) faults.push({ rule, element: element.outerHTML.slice(0, 160), detail })
  }
  type Color = [red: number, green: number, blue: number, alpha: number]
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  const colors = new Map<string, Color>()
  const colorOf = (text: string): Color => {
    const known = colors.get(text)
    if (known) return known
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = text
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    const color: Color = [red, green, blue, alpha / 255]
    colors.set(text, color)
    return color
  }
  const over = ([r, g, b, a]: Color, [x, y, z]: Color): Color => [
    r * a + x * (1 - a),
    g * a + y * (1 - a),
    b * a + z * (1 - a),
    1,
  ]
  const light = (color: Color) => {
    const [r, g, b] = color.slice(0, 3).map((part) => {
      const value = part / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  /** Null where a picture or something half transparent makes it more than a color. */
  const groundOf = (element: Element): Color | null => {
    const layers: Color[] = []
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at)
      if (backgroundImage !== 'none' || opacity !== '1') return null
      const color = colorOf(backgroundColor)
      if (color[3] > 0) layers.push(color)
      if (color[3] === 1) break
    }
    return layers.reduceRight<Color>((below, layer) => over(layer, below), [255, 255, 255, 1])
  }
  const seen = new Set<Element>()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (!element || seen.has(element) || !texts.currentNode.textContent?.trim()) continue
    seen.add(element)
    if (element.closest('[aria-hidden="true"], [inert], :disabled, [aria-disabled="true"], script, style, noscript'))
      continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const { width, height } = element.getBoundingClientRect()
    const ground = width > 1 && height > 1 ? groundOf(element) : null
    if (!ground) continue
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const [brighter, darker] = [light(over(colorOf(color), ground)), light(ground)].toSorted((a, b) => b - a) as [
      number,
      number,
    ]
    const ratio = (brighter + 0.05) / (darker + 0.05)
    const size = Number.parseFloat(fontSize)
    const needed = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
    if (ratio < needed - 0.01) add('contrast', element, `${ratio.toFixed(2)} in place of ${needed}: ${color}`)
  }

  // Behind a dialog that keeps the focus, which marks what it hides, nothing can take it.
  const isBehindDialog = (element: Element) =>
    document.querySelector('[data-radix-focus-guard]') !== null && element.closest('[data-aria-hidden="true"]') !== null
  for (const element of document.querySelectorAll<HTMLElement>('[aria-hidden="true"], [aria-hidden="true"] *'))
    if (!isBehindDialog(element) && element.tabIndex >= 0 && element.checkVisibility() && !element.closest('[inert]'))
      add('hidden-focus', element, 'takes the focus and is hidden from screen readers')

  const parents: Record<string, string> = {
    tab: '[role="tablist"]',
    option: '[role="listbox"], datalist, select',
    menuitem: '[role="menu"], [role="menubar"], [role="group"]',
    treeitem: '[role="tree"], [role="group"]',
    listitem: '[role="list"], ul, ol',
  }
  for (const [role, parent] of Object.entries(parents))
    for (const element of document.querySelectorAll(`[role="${role}"]`))
      if (element.checkVisibility() && !element.parentElement?.closest(parent))
        add('parent', element, `${role} outside of ${parent}`)

  if (!document.documentElement.lang) add('document', document.documentElement, 'no language')
  if (!document.title.trim()) add('document', document.head, 'no title')
  return faults
}
