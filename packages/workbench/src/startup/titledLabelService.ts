import { LabelService } from '@codingame/monaco-vscode-base-service-override/vscode/vs/workbench/services/label/common/labelService'

/** The label service with the project's title in place of the folder's name, which is the same in every box. */
export function titledLabelService(title: string): typeof LabelService {
  return class extends LabelService {
    override getWorkspaceLabel(): string {
      return title
    }
  }
}
