import { useEffect, useState } from 'react'
import { broughtByDrop } from './broughtProject.ts'
import type { BroughtProject } from './broughtProject.ts'
import { ImportDialog } from './ImportDialog.tsx'

/** Takes a folder or a zip archive that is dropped anywhere on the page. */
export function ImportByDrop() {
  const [isOver, setOver] = useState(false)
  const [brought, setBrought] = useState<Promise<BroughtProject>>()
  const [read, setRead] = useState(0)
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      setRead(0)
      const given = broughtByDrop(event.dataTransfer, setRead)
      // The dialog says what went wrong.
      given.catch(() => undefined)
      setBrought(given)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return (
    <>
      {isOver && (
        <div className="pointer-events-none fixed inset-3 z-30 flex items-center justify-center rounded-menu border-2 border-dashed border-accent bg-overlay p-6 text-center text-14 font-semibold">
          <span className="rounded-menu bg-panel px-4 py-2">
            Drop a folder or a zip archive to make a project of it
          </span>
        </div>
      )}
      {brought && <ImportDialog brought={brought} read={read} onClose={() => setBrought(undefined)} />}
    </>
  )
}
