import { NoticeList } from '@boxyard/ui'
import { Outlet } from '@tanstack/react-router'
import { useApp } from '../App.ts'
import { FinalizeAccountDialog } from '../session/FinalizeAccountDialog.tsx'
import { PaletteHost } from '../shell/PaletteHost.tsx'

export function RootPage() {
  const { notices } = useApp()
  return (
    <PaletteHost>
      <Outlet />
      <FinalizeAccountDialog />
      <NoticeList store={notices} />
    </PaletteHost>
  )
}
