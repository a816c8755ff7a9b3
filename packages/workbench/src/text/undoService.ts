import type { UndoGroup } from '@boxyard/dev-server-client'
import type { URI } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uri'
import {
  isEditStackElement,
  MultiModelEditStackElement,
  type EditStackElement,
} from '@codingame/monaco-vscode-api/vscode/vs/editor/common/model/editStack'
import {
  UndoRedoElementType,
  UndoRedoSource,
  type IPastFutureElements,
  type IUndoRedoElement,
  type UndoRedoGroup,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/undoRedo/common/undoRedo'
import { UndoRedoService } from '@codingame/monaco-vscode-api/vscode/vs/platform/undoRedo/common/undoRedoService'
import { isBoxUri } from '../files/boxUri.ts'
import type { Bindings } from './bindings.ts'
import type { ChangedStretch, TextBinding } from './textBinding.ts'

/** The newest undo element of a bound file. Only its identity counts: what it groups is undone together. */
interface OpenElement {
  element: EditStackElement
  group: UndoGroup
}

export interface UndoServiceOptions {
  bindings: Bindings
  /** Shows where an undo or redo changed the text. */
  reveal(binding: TextBinding, stretch: ChangedStretch): void
}

export interface GroupedUndo {
  /** The group that an edit of the bound file belongs to. */
  undoGroup(path: string): UndoGroup
}

/**
 * The undo service of the workbench, with the stacks of bound files replaced. The native elements hold offsets that nobody
 * transforms, so after an edit of somebody else they would restore wrong text; the file's own undo knows all operations. What
 * stays native is where one undo step ends and the next begins.
 *
 * A class made per workbench and without a constructor, so that it inherits the service dependencies of its base.
 */
export function undoServiceOf({ bindings, reveal }: UndoServiceOptions): {
  ctor: typeof UndoRedoService
  groups: GroupedUndo
} {
  const open = new Map<string, OpenElement>()
  const boundTo = (resource: URI | UndoRedoSource | string) => {
    if (typeof resource === 'string' || resource instanceof UndoRedoSource) return undefined
    return isBoxUri(resource) ? bindings.get(resource.path) : undefined
  }
  const close = (binding: TextBinding) => {
    open.get(binding.model.uri.path)?.element.close()
    open.delete(binding.model.uri.path)
  }

  class BoundUndoService extends UndoRedoService {
    override pushElement(element: IUndoRedoElement, group?: UndoRedoGroup, source?: UndoRedoSource): void {
      if (!isTextElement(element)) return super.pushElement(element, group, source)
      const parts = element instanceof MultiModelEditStackElement ? element.split() : [element]
      const bound = parts.filter(({ resource }) => boundTo(resource))
      if (bound.length === 0) return super.pushElement(element, group, source)
      // An edit over several files: each bound file undoes its own part, the others keep the native one.
      for (const part of parts) {
        if (bound.includes(part)) open.set(part.resource.path, { element, group: groupKey(element, group) })
        else super.pushElement(part, group, source)
      }
    }

    override getLastElement(resource: URI): IUndoRedoElement | null {
      return boundTo(resource) ? (open.get(resource.path)?.element ?? null) : super.getLastElement(resource)
    }

    override removeElements(resource: URI | string): void {
      if (typeof resource !== 'string') open.delete(resource.path)
      super.removeElements(resource)
    }

    override hasElements(resource: URI): boolean {
      const binding = boundTo(resource)
      return binding ? binding.file.canUndo || binding.file.canRedo : super.hasElements(resource)
    }

    override getElements(resource: URI): IPastFutureElements {
      return boundTo(resource) ? { past: [], future: [] } : super.getElements(resource)
    }

    override canUndo(resource: URI | UndoRedoSource): boolean {
      return boundTo(resource)?.file.canUndo ?? super.canUndo(resource)
    }

    override canRedo(resource: URI | UndoRedoSource): boolean {
      return boundTo(resource)?.file.canRedo ?? super.canRedo(resource)
    }

    override undo(resource: URI | UndoRedoSource): Promise<void> | void {
      const binding = boundTo(resource)
      if (!binding) return super.undo(resource)
      close(binding)
      const stretch = binding.undo()
      if (stretch) reveal(binding, stretch)
    }

    override redo(resource: URI | UndoRedoSource | string): Promise<void> | void {
      const binding = boundTo(resource)
      if (!binding) return super.redo(resource)
      close(binding)
      const stretch = binding.redo()
      if (stretch) reveal(binding, stretch)
    }
  }

  return {
    ctor: BoundUndoService,
    groups: {
      // Edits outside of any element, as by an extension that applies them directly, are a step of their own.
      undoGroup: (path) => open.get(path)?.group ?? {},
    },
  }
}

function isTextElement(element: IUndoRedoElement): element is EditStackElement {
  return element.type === UndoRedoElementType.Resource || element.type === UndoRedoElementType.Workspace
    ? isEditStackElement(element)
    : false
}

function groupKey(element: EditStackElement, group: UndoRedoGroup | undefined): UndoGroup {
  return group && group.id !== 0 ? `group-${group.id}` : element
}
