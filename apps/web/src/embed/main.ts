import './embed.css'
import { config } from 'zod/mini'
import { previewPlace } from '../editor/previewUrl.ts'
import { element } from './element.ts'
import { EmbedPage } from './EmbedPage.ts'
import { readEmbedOptions } from './embedOptions.ts'
import { NotPublicError, readEmbedded } from './readEmbedded.ts'

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

function tell(words: string, advice: string): void {
  const address = `/sandbox/${encodeURIComponent(id)}`
  const open = element(
    'a',
    { class: 'embed-button', href: address, target: '_blank', rel: 'noopener' },
    'Open in Boxyard',
  )
  root!.replaceChildren(
    element('main', { class: 'embed-message', role: 'alert' }, element('p', {}, words), element('p', {}, advice), open),
  )
}

root.replaceChildren(element('main', { class: 'embed-message', role: 'status' }, 'Opening the sandbox'))
readEmbedded(id).then(
  (embedded) => {
    document.title = `${embedded.title} – Boxyard`
    if (embedded.isDevbox && options.port === null)
      return tell(`${embedded.title} is a devbox`, 'Its files are on its machine. Open it to see them.')
    return void new EmbedPage(root, embedded, options, previewPlace())
  },
  (error: unknown) => {
    if (error instanceof NotPublicError) return tell(`${error.message}.`, 'Who may see it can open it.')
    console.error(error)
    return tell('The sandbox could not be read.', 'Nothing of it is lost. Load the page again.')
  },
)
