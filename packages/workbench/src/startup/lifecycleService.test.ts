import { LifecyclePhase } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/lifecycle/common/lifecycle'
import { AbstractLifecycleService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/lifecycle/common/lifecycleService'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// What it is in a browser listens to the window.
vi.mock(
  '@codingame/monaco-vscode-lifecycle-service-override/vscode/vs/workbench/services/lifecycle/browser/lifecycleService',
  () => ({ BrowserLifecycleService: AbstractLifecycleService }),
)

const { lifecycleService } = await import('./lifecycleService.ts')

let frames: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  frames = []
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function begun() {
  const log = { trace: () => undefined }
  const storage = { getNumber: () => undefined, remove: () => undefined, onWillSaveState: () => ({ dispose() {} }) }
  const Service = lifecycleService() as unknown as new (...services: object[]) => AbstractLifecycleService
  const service = new Service(log, storage)
  const reached: string[] = []
  void service.when(LifecyclePhase.Restored).then(() => reached.push('restored'))
  void service.when(LifecyclePhase.Eventually).then(() => reached.push('eventually'))
  service.phase = LifecyclePhase.Ready
  return { service, reached }
}

it('WB1062: what starts when the editors are open comes after the frame that shows them', async () => {
  const { service, reached } = begun()
  service.phase = LifecyclePhase.Restored
  service.phase = LifecyclePhase.Restored
  expect([service.phase, frames.length]).toEqual([LifecyclePhase.Ready, 1])
  frames[0]!()
  await vi.advanceTimersByTimeAsync(0)
  expect([service.phase, reached]).toEqual([LifecyclePhase.Restored, ['restored']])
  await vi.runAllTimersAsync()
  service.phase = LifecyclePhase.Restored
  expect(frames).toHaveLength(1)
})

it('WB1062: a page that draws nothing goes on all the same, and no phase is left out', async () => {
  const hidden = begun()
  hidden.service.phase = LifecyclePhase.Restored
  await vi.runAllTimersAsync()
  expect(hidden.service.phase).toBe(LifecyclePhase.Restored)
  const slow = begun()
  slow.service.phase = LifecyclePhase.Restored
  slow.service.phase = LifecyclePhase.Eventually
  await vi.runAllTimersAsync()
  expect([slow.service.phase, slow.reached]).toEqual([LifecyclePhase.Eventually, ['restored', 'eventually']])
})
