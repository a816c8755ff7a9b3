import { MicrotaskDelay } from '@codingame/monaco-vscode-api/vscode/vs/base/common/symbols'
import type { IStorage } from '@codingame/monaco-vscode-api/vscode/vs/base/parts/storage/common/storage'
import { StorageScope } from '@codingame/monaco-vscode-api/vscode/vs/platform/storage/common/storage'
import { LifecyclePhase } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/lifecycle/common/lifecycle'
import { BrowserLifecycleService } from '@codingame/monaco-vscode-lifecycle-service-override/vscode/vs/workbench/services/lifecycle/browser/lifecycleService'

/** Milliseconds after which the workbench goes on although nothing is drawn, as in a page out of sight. */
const PATIENCE = 500

/** What the workbench's service does when the page is about to go; it keeps these to itself. */
interface UsualService {
  phase: LifecyclePhase
  readonly storageService: { getStorage(scope: StorageScope): Pick<IStorage, 'flush'> | undefined }
  onBeforeUnload(event: BeforeUnloadEvent): void
  onUnload(): void
}

const Usual = BrowserLifecycleService as unknown as new (...services: never[]) => UsualService

/**
 * The life of the page, with three differences. What the workbench keeps in the browser is written before the page is gone: left to a timer, it comes too
 * late. And the workbench ends with the page, not when the browser asks whether to leave it: who stays goes on.
 * And what it starts when the editors are open comes after the frame that shows them.
 */
export function lifecycleService(): typeof BrowserLifecycleService {
  return class extends Usual {
    #isAsked = false
    #isDrawing = false

    override get phase(): LifecyclePhase {
      return super.phase
    }

    override set phase(phase: LifecyclePhase) {
      if (phase !== LifecyclePhase.Restored) {
        // Those who wait for one phase are told of that one alone.
        if (this.#isDrawing && phase > LifecyclePhase.Restored) this.#restored()
        super.phase = phase
      } else if (!this.#isDrawing && super.phase < phase) {
        this.#isDrawing = true
        const next = () => this.#restored()
        requestAnimationFrame(() => setTimeout(next))
        setTimeout(next, PATIENCE)
      }
    }

    #restored(): void {
      if (!this.#isDrawing) return
      this.#isDrawing = false
      super.phase = LifecyclePhase.Restored
    }

    override onBeforeUnload(event: BeforeUnloadEvent): void {
      this.#isAsked = true
      try {
        super.onBeforeUnload(event)
      } finally {
        this.#isAsked = false
      }
      for (const scope of [StorageScope.APPLICATION, StorageScope.PROFILE, StorageScope.WORKSPACE])
        // The delay is the only way to have it done in this turn, which the type of the delay does not know of.
        this.storageService
          .getStorage(scope)
          ?.flush(MicrotaskDelay as unknown as number)
          .catch((error: unknown) => console.warn('What the editor remembers of this visit was not kept', error))
    }

    override onUnload(): void {
      if (!this.#isAsked) super.onUnload()
    }
  } as unknown as typeof BrowserLifecycleService
}
