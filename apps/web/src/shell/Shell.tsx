import { Button, IconButton, Kbd, Skeleton } from '@boxyard/ui'
import { Menu, Plus, Search } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { NotificationBell } from '../account/NotificationBell.tsx'
import type { CurrentUser } from '../api/schemas.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Drawer } from './Drawer.tsx'
import { usePalette } from './PaletteContext.ts'
import { shortcutName } from './shortcut.ts'
import { SideBar } from './SideBar.tsx'

/** Side bar, top bar, and one column of content. */
export function Shell({ title, user, children }: { title: string; user: CurrentUser; children: ReactNode }) {
  const [drawer, setDrawer] = useState(false)
  const palette = usePalette()
  const navigate = useNavigate()
  return (
    <div className="flex min-h-dvh">
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 overflow-y-auto border-r border-line bg-panel wide:block">
        <SideBar />
      </aside>
      <Drawer open={drawer} onOpenChange={setDrawer} label="Places">
        <SideBar onNavigate={() => setDrawer(false)} />
      </Drawer>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-ground px-3 wide:px-6">
          <IconButton label="Places" className="wide:hidden" onClick={() => setDrawer(true)}>
            <Menu aria-hidden size={16} strokeWidth={1.5} />
          </IconButton>
          <h1 className="min-w-0 flex-1 truncate text-14 font-semibold">{title}</h1>
          <Button
            variant="quiet"
            onClick={palette.open}
            className="max-wide:aspect-square max-wide:!px-0 wide:border wide:border-line-strong"
          >
            <Search aria-hidden size={16} strokeWidth={1.5} />
            <span className="max-wide:sr-only">Search</span>
            <span aria-hidden className="hidden wide:inline">
              <Kbd>{shortcutName('K')}</Kbd>
            </span>
          </Button>
          <IconButton
            label="Create a devbox"
            variant="quiet"
            className="wide:hidden"
            onClick={() => void navigate({ to: '/dashboard/recent', search: { create: true } })}
          >
            <Plus aria-hidden size={16} strokeWidth={1.5} />
          </IconButton>
          <NotificationBell />
          <AccountMenu user={user} />
        </header>
        <main className="mx-auto w-full max-w-[1200px] flex-1 p-3 wide:p-6">
          <Suspense fallback={<Skeleton className="h-40" />}>{children}</Suspense>
        </main>
      </div>
    </div>
  )
}
