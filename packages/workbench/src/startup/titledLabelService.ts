import { LabelService } from '@codingame/monaco-vscode-base-service-override/vscode/vs/workbench/services/label/common/labelService'

type Formatter = Parameters<LabelService['registerFormatter']>[0]

/**
 * The label service with the project's title in place of the folder's name, which is the same in every box, and with paths that begin at the workspace:
 * what stands for a home in the page is the workspace, which is not what terminals know as `~`.
 */
export function titledLabelService(title: string): typeof LabelService {
  return class extends LabelService {
    override getWorkspaceLabel(): string {
      return title
    }

    override registerFormatter(formatter: Formatter): ReturnType<LabelService['registerFormatter']> {
      return super.registerFormatter({ ...formatter, formatting: { ...formatter.formatting, tildify: false } })
    }
  }
}
