import { createRootRoute } from '@tanstack/react-router'
import { CrashPage } from './CrashPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { RootPage } from './RootPage.tsx'

/** What every page is in. */
export const root = createRootRoute({ component: RootPage, notFoundComponent: NotFoundPage, errorComponent: CrashPage })
