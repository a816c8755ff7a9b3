import {
  createFileSystemProviderError,
  FileSystemProviderErrorCode,
  type FileSystemProviderError,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/files/common/files'
import { fileErrorKind } from './fileErrorKind.ts'
import { fileErrorWords } from './fileErrorWords.ts'
import { NO_ROOM_TEXT } from './noRoomText.ts'

const codes = {
  notFound: FileSystemProviderErrorCode.FileNotFound,
  exists: FileSystemProviderErrorCode.FileExists,
  isDirectory: FileSystemProviderErrorCode.FileIsADirectory,
  notDirectory: FileSystemProviderErrorCode.FileNotADirectory,
  noPermission: FileSystemProviderErrorCode.NoPermissions,
  quota: FileSystemProviderErrorCode.FileExceedsStorageQuota,
  tooLarge: FileSystemProviderErrorCode.FileTooLarge,
  unavailable: FileSystemProviderErrorCode.Unavailable,
  unknown: FileSystemProviderErrorCode.Unknown,
} as const

/** What the workbench is told about a failed file operation: it shows its own words for each code. */
export function fileError(error: unknown): FileSystemProviderError {
  const kind = fileErrorKind(error)
  return createFileSystemProviderError(kind === 'quota' ? NO_ROOM_TEXT : fileErrorWords(error), codes[kind])
}
