import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { CrashPage } from './CrashPage.tsx'

afterEach(() => vi.unstubAllGlobals())

it('AP941: a page that failed has the code, the place and the error in its details', () => {
  vi.stubGlobal('__VERSION__', '1.2.3')
  vi.stubGlobal('window', { location: { host: 'app.example', pathname: '/devbox/one' } })
  const page = renderToStaticMarkup(<CrashPage error={new Error('broken')} reset={() => undefined} />)
  for (const part of [
    'Exception occurred',
    'Problem details and configurations',
    'RUNTIME_ERROR',
    '/devbox/one',
    'broken',
    '1.2.3',
  ])
    expect(page).toContain(part)
})
