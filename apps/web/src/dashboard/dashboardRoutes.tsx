import { createRoute, lazyRouteComponent, redirect, useNavigate, useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { InWorkspace, ShellPage, shellRoute } from '../shell/shellRoute.tsx'

const pages = () => import('./pages.ts')
const CreateDialog = lazyRouteComponent(pages, 'CreateDialog')
const DraftsPage = lazyRouteComponent(pages, 'DraftsPage')
const FolderPage = lazyRouteComponent(pages, 'FolderPage')
const LikedPage = lazyRouteComponent(pages, 'LikedPage')
const RecentPage = lazyRouteComponent(pages, 'RecentPage')
const SearchPage = lazyRouteComponent(pages, 'SearchPage')
const SharedPage = lazyRouteComponent(pages, 'SharedPage')
const TemplatesPage = lazyRouteComponent(pages, 'TemplatesPage')
const TrashPage = lazyRouteComponent(pages, 'TrashPage')

const getParentRoute = () => shellRoute

const recentSearch = z.object({
  /** Opens the dialog that makes a devbox. */
  create: z.literal(true).optional().catch(undefined),
  /** Id of the template that is chosen in it. */
  template: z.string().max(100).optional().catch(undefined),
})

const start = createRoute({
  getParentRoute,
  path: '/dashboard',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/recent', replace: true })
  },
})
const recent = createRoute({
  getParentRoute,
  path: '/dashboard/recent',
  validateSearch: recentSearch,
  component: function Recent() {
    const router = useRouter()
    const search = recent.useSearch()
    const navigate = useNavigate()
    return (
      <ShellPage title="Recent">
        {() => (
          <>
            <RecentPage />
            {search.create && (
              <CreateDialog
                templateId={search.template}
                onClose={() => {
                  // Back to the page it was opened from, unless the address itself opened it.
                  if (router.history.canGoBack()) router.history.back()
                  else void navigate({ to: '/dashboard/recent', replace: true })
                }}
              />
            )}
          </>
        )}
      </ShellPage>
    )
  },
})
const drafts = createRoute({
  getParentRoute,
  path: '/dashboard/drafts',
  component: () => (
    <ShellPage title="Drafts">
      {(user) => <InWorkspace>{(workspace) => <DraftsPage workspace={workspace} userId={user.id} />}</InWorkspace>}
    </ShellPage>
  ),
})
const folder = createRoute({
  getParentRoute,
  path: '/dashboard/sandboxes/$',
  component: function Folder() {
    const { _splat = '' } = folder.useParams()
    const path = `/${_splat}`
    return (
      <ShellPage title="All sandboxes">
        {() => <InWorkspace>{(workspace) => <FolderPage key={path} workspace={workspace} path={path} />}</InWorkspace>}
      </ShellPage>
    )
  },
})
const templates = createRoute({
  getParentRoute,
  path: '/dashboard/templates',
  component: () => (
    <ShellPage title="Templates">
      {() => <InWorkspace>{(workspace) => <TemplatesPage workspace={workspace} />}</InWorkspace>}
    </ShellPage>
  ),
})
const shared = createRoute({
  getParentRoute,
  path: '/dashboard/shared',
  component: () => <ShellPage title="Shared with me">{() => <SharedPage />}</ShellPage>,
})
const liked = createRoute({
  getParentRoute,
  path: '/dashboard/liked',
  component: () => <ShellPage title="Likes">{() => <LikedPage />}</ShellPage>,
})
const deleted = createRoute({
  getParentRoute,
  path: '/dashboard/deleted',
  component: () => (
    <ShellPage title="Recently deleted">
      {() => <InWorkspace>{(workspace) => <TrashPage workspace={workspace} />}</InWorkspace>}
    </ShellPage>
  ),
})
const search = createRoute({
  getParentRoute,
  path: '/dashboard/search',
  validateSearch: z.object({ query: z.string().max(200).optional().catch(undefined) }),
  component: function Search() {
    const { query = '' } = search.useSearch()
    return (
      <ShellPage title="Search">
        {() => <InWorkspace>{(workspace) => <SearchPage workspace={workspace} text={query} />}</InWorkspace>}
      </ShellPage>
    )
  },
})

/** The pages that list sandboxes. */
export const dashboardRoutes = [start, recent, drafts, folder, templates, shared, liked, deleted, search] as const
