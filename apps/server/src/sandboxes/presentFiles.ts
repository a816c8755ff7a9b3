import type { DirectoryAnswer, ModuleAnswer } from '@boxyard/api'
import type { SandboxDirectory, SandboxModule } from './sandboxFiles.ts'

export function presentModule(module: SandboxModule): ModuleAnswer {
  return {
    id: module.id,
    shortid: module.shortid,
    title: module.title,
    code: module.code,
    directory_shortid: module.directoryShortid,
    is_binary: module.isBinary,
    source_id: module.sandboxId,
    upload_id: module.uploadId,
    sha: module.sha,
    inserted_at: module.insertedAt.toISOString(),
    updated_at: module.updatedAt.toISOString(),
  }
}

export function presentDirectory(directory: SandboxDirectory): DirectoryAnswer {
  return {
    id: directory.id,
    shortid: directory.shortid,
    title: directory.title,
    directory_shortid: directory.directoryShortid,
    source_id: directory.sandboxId,
    inserted_at: directory.insertedAt.toISOString(),
    updated_at: directory.updatedAt.toISOString(),
  }
}
