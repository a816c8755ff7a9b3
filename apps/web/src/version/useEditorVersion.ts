import { useMachine } from '@xstate/react'
import { useCallback, useEffect, useState } from 'react'
import { useApp } from '../App.ts'
import { onDidFocusPage } from '../editor/pageFocus.ts'
import { whenIdle } from '../editor/whenIdle.ts'
import { editorCache } from './editorCache.ts'
import { editorVersionMachine } from './editorVersionMachine.ts'
import { compilePorts, keepCompiled } from './keepCompiled.ts'
import { VERSION_NOTICE, versionNotice, versionStatus } from './versionNotice.ts'

/** A page that comes into sight looks again after this long. */
const LOOK_AGAIN_MS = 5 * 60_000
/** Keeping the editor waits for a page that has nothing else to do, no longer than this. */
const PATIENCE_MS = 10_000

export interface EditorVersionOptions {
  /** A new version is said: to who may write to a devbox or a default branch. Others have it with their next visit. */
  isPrompted: boolean
  /** The machine runs a former dev server. */
  isMicroVmOld?: boolean
  /** Undefined: the person may not, or there is nothing to restart. */
  restart?: (() => void) | undefined
  /** The connection to the machine stands; it may have been lost to a server that was given another build. */
  isConnected?: boolean
}

/** Has the browser keep the editor, and says when there is a newer one. The answer begins that, when the page has what it needs. */
export function useEditorVersion({
  isPrompted,
  isMicroVmOld = false,
  restart,
  isConnected = true,
}: EditorVersionOptions): () => void {
  const { notices } = useApp()
  const [ports] = useState(() => editorCache())
  const [state, send] = useMachine(editorVersionMachine, { input: ports })
  const status = versionStatus(state)
  const { reason } = state.context
  const hasBegun = !state.matches({ EDITOR: 'WAITING' })
  const isLatest = state.matches({ EDITOR: 'LATEST' })

  useEffect(() => send({ type: 'MICROVM', isOld: isMicroVmOld }), [send, isMicroVmOld])
  useEffect(() => {
    if (hasBegun && isConnected) send({ type: 'CHECK' })
  }, [send, hasBegun, isConnected])
  useEffect(() => {
    if (!hasBegun) return undefined
    let last = Date.now()
    const looking = onDidFocusPage(() => {
      if (Date.now() - last < LOOK_AGAIN_MS) return
      last = Date.now()
      send({ type: 'CHECK' })
    })
    return () => looking.dispose()
  }, [send, hasBegun])
  useEffect(() => {
    if (!isLatest) return undefined
    return whenIdle(PATIENCE_MS, () => {
      compilePorts()
        .then((ports) => ports && keepCompiled(ports))
        .catch((error: unknown) => console.warn('The editor is compiled anew on the next visit', error))
    })
  }, [isLatest])
  useEffect(() => {
    if (!isPrompted) return undefined
    const notice = versionNotice(status, {
      reload: () => send({ type: 'RELOAD' }),
      clearCache: () => send({ type: 'CLEAR_CACHE' }),
      restart,
      reason,
    })
    if (!notice) return undefined
    notices.add(notice)
    return () => notices.dismiss(VERSION_NOTICE)
  }, [notices, send, isPrompted, status, restart, reason])

  return useCallback(() => void whenIdle(PATIENCE_MS, () => send({ type: 'CHECK' })), [send])
}
