import { NoticeList } from '@boxyard/ui'
import { Outlet } from '@tanstack/react-router'
import { useApp } from '../App.ts'
import { FinalizeAccountDialog } from '../session/FinalizeAccountDialog.tsx'
import { TokenDialog } from '../session/TokenDialog.tsx'
import { PaletteHost } from '../shell/PaletteHost.tsx'

export function RootPage() {
  const { notices } = useApp()
  return (
    <PaletteHost>
      <Outlet />
      <FinalizeAccountDialog />
      <TokenDialog />
      <NoticeList store={notices} />
    </PaletteHost>
  )
}
