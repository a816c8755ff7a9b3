import './zodWithoutEval.ts'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './app.css'
import { TooltipProvider } from '@boxyard/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { AppProvider, createApp } from './App.ts'
import { isInWorkspace } from './repositories/isInWorkspace.ts'
import { showAddress } from './repositories/showAddress.ts'
import { router } from './router.tsx'
import { whenPageWanted } from './editor/pageAhead.ts'
import { followOtherWindows } from './session/followOtherWindows.ts'
import { onSignedOut } from './session/onSignedOut.ts'
import { tellMissingParts } from './version/tellMissingParts.ts'

const container = document.querySelector('#root')
if (!container) throw new Error('index.html has no #root')

const app = createApp()
tellMissingParts(app.notices)
// The workspace was one of the person.
onSignedOut(app.session, () => showAddress(window.location.pathname, { workspaceId: null }))
app.session.start()
// A page that is made ahead is no window yet, and a browser may refuse it a channel.
void whenPageWanted().then(() =>
  followOtherWindows({
    session: app.session,
    notices: app.notices,
    channel: new BroadcastChannel('boxyard-session'),
    isEditorOpen: () => document.querySelector('[data-workbench]') !== null,
    isBranchAvailable: () => isInWorkspace(app, window.location.pathname),
    reload: () => window.location.reload(),
  }),
)

createRoot(container).render(
  // Not in React's strict mode, which mounts everything twice: the workbench opens once in the life of a page.
  <AppProvider value={app}>
    <QueryClientProvider client={app.queries}>
      <TooltipProvider>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>
  </AppProvider>,
)
