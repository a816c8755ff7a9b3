import { CancellationToken } from '@codingame/monaco-vscode-api/vscode/vs/base/common/cancellation'
import { extUri } from '@codingame/monaco-vscode-api/vscode/vs/base/common/resources'
import { URI } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uri'
import type { IWorkingCopyHistoryService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/workingCopy/common/workingCopyHistory.service'
import { BrowserWorkingCopyHistoryService } from '@codingame/monaco-vscode-working-copy-service-override/vscode/vs/workbench/services/workingCopy/browser/workingCopyHistoryService'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { boxHistoryService } from './boxHistoryService.ts'

const HOME = URI.from({ scheme: 'vscode-userdata', path: '/History' })
const RESOURCE = URI.from({ scheme: 'file', path: '/project/workspace/a.ts' })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The history of a page in a browser that has kept these files, none of which has a time. */
function history(kept: Set<string>): IWorkingCopyHistoryService {
  const files = {
    hasProvider: () => true,
    cloneFile: async (_from: URI, to: URI) => void kept.add(to.path),
    resolve: async (folder: URI) => {
      const children = [...kept].filter((path) => path.startsWith(`${folder.path}/`))
      return {
        children: children.map((path) => ({ name: path.split('/').at(-1)!, resource: HOME.with({ path }), mtime: 0 })),
      }
    },
    // What is listed is kept for the next page.
    readFile: async () => ({ value: '{"version":1,"entries":[]}' }),
    writeFile: async () => undefined,
  }
  const Service = boxHistoryService(BrowserWorkingCopyHistoryService) as new (
    ...services: object[]
  ) => IWorkingCopyHistoryService
  return new Service(
    files,
    { getEnvironment: async () => null },
    { localHistoryHome: HOME },
    { extUri },
    { getUriBasenameLabel: () => 'a.ts' },
    { trace: (...said: unknown[]) => console.error(...said) },
    { getValue: (key: string) => (key.endsWith('mergeWindow') ? 10 : 50) },
  )
}

it('WB1092: each save of a text that is edited together is kept in its history with the time of it', async () => {
  const saved = history(new Set())
  const times = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)]
  for (const time of times) {
    vi.setSystemTime(time)
    await saved.addEntry({ resource: RESOURCE, timestamp: 0 }, CancellationToken.None)
  }
  const entries = await saved.getEntries(RESOURCE, CancellationToken.None)
  expect(entries.map(({ timestamp }) => timestamp)).toEqual(times)
})

it('WB1092: what a page left without a time is not among them', async () => {
  const kept = new Set<string>()
  await history(kept).addEntry({ resource: RESOURCE, timestamp: 1 }, CancellationToken.None)
  expect(kept.size).toBe(1)
  expect(await history(kept).getEntries(RESOURCE, CancellationToken.None)).toEqual([])
})
