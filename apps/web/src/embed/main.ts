import './embed.css'
import { config } from 'zod/mini'
import { previewPlace } from '../editor/previewUrl.ts'
import { element } from './element.ts'
import { EmbedPage } from './EmbedPage.ts'
import { readEmbedOptions } from './embedOptions.ts'
import { NotPublicError, readEmbedded, startBox } from './readEmbedded.ts'
import type { Embedded } from './readEmbedded.ts'

// The page's policy refuses code made from strings.
config({ jitless: true })

const root = document.querySelector<HTMLElement>('#embed')
if (!root) throw new Error('embed.html has no #embed')
const id = decodeURIComponent(window.location.pathname.split('/').at(-1) ?? '')
const options = readEmbedOptions(window.location.search)

const prefersLight = window.matchMedia('(prefers-color-scheme: light)')
const showTheme = () => {
  const followed = prefersLight.matches ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = options.theme === 'auto' ? followed : options.theme
}
showTheme()
prefersLight.addEventListener('change', showTheme)

function tell(words: string, advice: string, action?: HTMLElement): void {
  const address = `/sandbox/${encodeURIComponent(id)}`
  const open = element(
    'a',
    { class: 'embed-button', href: address, target: '_blank', rel: 'noopener' },
    'Open in Boxyard',
  )
  const message = element(
    'main',
    { class: 'embed-message', role: 'alert' },
    element('p', {}, words),
    element('p', {}, advice),
  )
  if (action) message.append(action)
  message.append(open)
  root!.replaceChildren(message)
}

/** Nobody's machine is started by looking at a page: it is asked for. */
function offerStart({ title }: Embedded): void {
  const start = element(
    'button',
    {
      class: 'embed-button',
      type: 'button',
      click: () => {
        root!.replaceChildren(element('main', { class: 'embed-message', role: 'status' }, 'Starting the machine'))
        startBox(id).then(open, (error: unknown) => {
          console.error(error)
          tell('The machine did not start.', 'Its files are safe. Open it to see why.')
        })
      },
    },
    'Start the machine',
  )
  tell(`The machine of ${title} sleeps`, 'Its files are on it.', start)
}

function open(): void {
  root!.replaceChildren(element('main', { class: 'embed-message', role: 'status' }, 'Opening the sandbox'))
  readEmbedded(id).then(
    (embedded) => {
      document.title = `${embedded.title} – Boxyard`
      if (embedded.isDevbox && embedded.boxPaths === null && options.port === null) return offerStart(embedded)
      return void new EmbedPage(root!, embedded, options, previewPlace())
    },
    (error: unknown) => {
      if (error instanceof NotPublicError) return tell(`${error.message}.`, 'Who may see it can open it.')
      console.error(error)
      return tell('The sandbox could not be read.', 'Nothing of it is lost. Load the page again.')
    },
  )
}

open()
