import { getService, IConfigurationService } from '@codingame/monaco-vscode-api'
import { configurationRegistry } from '@codingame/monaco-vscode-configuration-service-override'

/** When the preview follows a text: 500 ms after an edit, or when it is saved. */
export type PreviewRun = 'edit-delayed' | 'save'

const SETTING = 'boxyard.preview.run'
const usual: PreviewRun = 'edit-delayed'

/** Makes it a setting, and tells what it is, from the beginning on. Anything else that stands there means the usual. */
export async function startPreviewRun(tell: (run: PreviewRun) => void): Promise<void> {
  configurationRegistry.registerConfiguration({
    id: 'boxyard.preview',
    title: 'Preview',
    type: 'object',
    properties: {
      [SETTING]: {
        type: 'string',
        enum: ['edit-delayed', 'save'] satisfies PreviewRun[],
        enumDescriptions: ['500 ms after an edit, saved or not.', 'When a text is saved.'],
        default: usual,
        description: 'When the preview follows what is typed.',
      },
    },
  })
  const configuration = await getService(IConfigurationService)
  let told: PreviewRun = usual
  const update = () => {
    const run: PreviewRun = configuration.getValue(SETTING) === 'save' ? 'save' : usual
    if (run === told) return
    told = run
    tell(run)
  }
  update()
  configuration.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(SETTING)) update()
  })
}
