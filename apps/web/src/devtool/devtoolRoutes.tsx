import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { NotFoundPage } from '../routes/NotFoundPage.tsx'
import { root } from '../routes/root.ts'

const InlinePreviewPage = lazyRouteComponent(() => import('./InlinePreviewPage.tsx'), 'InlinePreviewPage')
const BranchPreviewPage = lazyRouteComponent(() => import('./BranchPreviewPage.tsx'), 'BranchPreviewPage')
const StartedPreview = lazyRouteComponent(() => import('./StartedPreview.tsx'), 'StartedPreview')

const portSearch = z.object({
  /** The port whose page is meant; otherwise that of the box. */
  port: z.coerce.number().int().min(1).max(65_535).optional().catch(undefined),
})

const inline = createRoute({
  getParentRoute: () => root,
  path: '/devtool/inline-preview/$host',
  wrapInSuspense: true,
  component: () => <InlinePreviewPage host={inline.useParams().host} />,
})

const preview = createRoute({
  getParentRoute: () => root,
  path: '/devtool/preview',
  validateSearch: portSearch.extend({
    /** Of the devbox. */
    id: z.coerce.string().max(100).optional().catch(undefined),
  }),
  wrapInSuspense: true,
  component: function Preview() {
    const { id, port } = preview.useSearch()
    return id ? <StartedPreview key={id} id={id} port={port} /> : <NotFoundPage />
  },
})

const branchPreview = createRoute({
  getParentRoute: () => root,
  path: '/devtool/preview/$owner/$repo/$',
  validateSearch: portSearch,
  wrapInSuspense: true,
  component: function BranchPreview() {
    const { owner, repo, _splat: branch = '' } = branchPreview.useParams()
    return <BranchPreviewPage owner={owner} repo={repo} branch={branch} port={branchPreview.useSearch().port} />
  },
})

/** Pages of boxes without the app around them. */
export const devtoolRoutes = [inline, preview, branchPreview]
