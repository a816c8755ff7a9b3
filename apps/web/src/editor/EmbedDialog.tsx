import { Banner, Button, Checkbox, Dialog, Input, Select } from '@boxyard/ui'
import { useState } from 'react'
import { sandboxSchema } from '../api/schemas.ts'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { embedAddress, embedFrame, embedThemes, embedViews } from '../embed/embedOptions.ts'
import type { EmbedTheme, EmbedView } from '../embed/embedOptions.ts'

const PRIVATE = 2
const UNLISTED = 1

const viewNames: Readonly<Record<EmbedView, string>> = {
  split: 'Code and preview',
  editor: 'Code',
  preview: 'Preview',
}
const themeNames: Readonly<Record<EmbedTheme, string>> = {
  auto: 'As the reader’s system',
  dark: 'Dark',
  light: 'Light',
}

export interface EmbedDialogProps {
  sandbox: Sandbox
  /** The file that is open, relative to the project. */
  file: string | undefined
  onClose: () => void
  onPrivacyChanged: (privacy: number) => void
}

/** The address of a sandbox for a frame in another page, and the frame. */
export function EmbedDialog({ sandbox, file, onClose, onPrivacyChanged }: EmbedDialogProps) {
  const { notices } = useApp()
  const [view, setView] = useState<EmbedView>('split')
  const [theme, setTheme] = useState<EmbedTheme>('auto')
  const [path, setPath] = useState(file ?? '')
  const [readOnly, setReadOnly] = useState(false)
  const [hideNavigation, setHideNavigation] = useState(false)
  const [runOnClick, setRunOnClick] = useState(false)
  const chosen = path.trim().replace(/^\/+/, '')
  const options = { view, theme, file: chosen === '' ? null : chosen, readOnly, hideNavigation, runOnClick }
  const address = embedAddress(window.location.origin, sandbox.id, options)
  const frame = embedFrame(address, sandbox.title ?? sandbox.id)
  const copy = (what: string, text: string) => {
    const shown = { uniqueName: 'embed', timeout: 4_000 } as const
    navigator.clipboard.writeText(text).then(
      () => notices.add({ ...shown, tone: 'success', title: `${what} copied` }),
      () => notices.add({ ...shown, tone: 'warning', title: 'The browser did not allow copying' }),
    )
  }
  return (
    <Dialog
      open
      width="md"
      title="Embed"
      description="Readers of another page see this sandbox in it. What they type stays with them."
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <div className="flex flex-col gap-3">
        {sandbox.privacy >= PRIVATE && <PrivateBanner sandbox={sandbox} onPrivacyChanged={onPrivacyChanged} />}
        <div className="grid grid-cols-1 gap-3 wide:grid-cols-2">
          <Select
            label="Shows"
            value={view}
            onValueChange={(next) => setView(embedViews.find((one) => one === next) ?? view)}
            options={embedViews.map((value) => ({ value, label: viewNames[value] }))}
          />
          <Select
            label="Theme"
            value={theme}
            onValueChange={(next) => setTheme(embedThemes.find((one) => one === next) ?? theme)}
            options={embedThemes.map((value) => ({ value, label: themeNames[value] }))}
          />
        </div>
        <Input label="File to begin with" value={path} onChange={({ target }) => setPath(target.value)} />
        <Checkbox checked={readOnly} onCheckedChange={setReadOnly}>
          Nobody can type into it
        </Checkbox>
        <Checkbox checked={hideNavigation} onCheckedChange={setHideNavigation}>
          Hide the address of the preview
        </Checkbox>
        <Checkbox checked={runOnClick} onCheckedChange={setRunOnClick}>
          Run the preview on a click, for pages with many of them
        </Checkbox>
        <div className="flex items-end gap-2">
          <Input className="flex-1" label="Address" readOnly value={address} />
          <Button onClick={() => copy('Address', address)}>Copy address</Button>
        </div>
        <label className="flex flex-col gap-1 text-12 text-quiet">
          For your page
          <textarea
            readOnly
            rows={5}
            value={frame}
            className="w-full resize-none rounded-control border border-line-strong bg-panel p-2 font-mono text-12 text-text"
          />
        </label>
        <div className="flex justify-end gap-2">
          <a
            className="self-center px-2 text-link hover:underline"
            href={address}
            target="_blank"
            rel="noopener noreferrer"
          >
            Look at it
          </a>
          <Button variant="primary" onClick={() => copy('Frame', frame)}>
            Copy frame
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function PrivateBanner({ sandbox, onPrivacyChanged }: Pick<EmbedDialogProps, 'sandbox' | 'onPrivacyChanged'>) {
  const { rest, notices } = useApp()
  const [isChanging, setChanging] = useState(false)
  const show = async () => {
    setChanging(true)
    try {
      const { privacy } = await rest.patch(`/sandboxes/${encodeURIComponent(sandbox.id)}/privacy`, {
        schema: sandboxSchema,
        body: { sandbox: { privacy: UNLISTED } },
      })
      onPrivacyChanged(privacy)
    } catch (error) {
      setChanging(false)
      notices.add({
        uniqueName: 'privacy',
        tone: 'error',
        title: 'The sandbox is still private',
        body: error instanceof Error ? error.message : String(error),
      })
    }
  }
  return (
    <Banner
      tone="warning"
      actions={
        sandbox.abilities.share && (
          <Button size="small" loading={isChanging} onClick={() => void show()}>
            Let everybody with the address see it
          </Button>
        )
      }
    >
      This sandbox is private: others see nothing of it.
    </Banner>
  )
}
