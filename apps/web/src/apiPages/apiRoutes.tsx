import { Skeleton } from '@boxyard/ui'
import { createRoute, lazyRouteComponent, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ShellPage, shellRoute } from '../shell/shellRoute.tsx'

const RestPage = lazyRouteComponent(() => import('./RestPage.tsx'), 'RestPage')

const QueryExplorer = lazy(() => import('./QueryExplorer.tsx'))

const tab = {
  className: 'rounded-control px-3 py-1 text-quiet no-underline hover:bg-hover hover:text-text',
  activeProps: { className: 'bg-raised text-text' },
} as const

function ApiTabs() {
  return (
    <nav aria-label="API" className="mb-4 flex gap-1">
      <Link to="/account/api" activeOptions={{ exact: true }} {...tab}>
        GraphQL
      </Link>
      <Link to="/account/api/rest" {...tab}>
        REST
      </Link>
    </nav>
  )
}

const explorer = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/api',
  component: () => (
    <ShellPage title="API">
      {() => (
        <>
          <ApiTabs />
          <div className="h-[max(420px,calc(100dvh-180px))] overflow-hidden rounded-menu border border-line">
            <Suspense fallback={<Skeleton className="h-full" />}>
              <QueryExplorer />
            </Suspense>
          </div>
        </>
      )}
    </ShellPage>
  ),
})

const rest = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/api/rest',
  component: () => (
    <ShellPage title="API">
      {() => (
        <>
          <ApiTabs />
          <RestPage />
        </>
      )}
    </ShellPage>
  ),
})

/** The pages about what programs can ask of the server. */
export const apiRoutes = [explorer, rest] as const
