import path from 'path-browserify'
import type { ProcessFiles } from './processFiles.ts'

/** What Node takes for a file of tests when none is named. */
const TEST = /(?:^|\/)(?:test\/.*|test|test-[^/]*|[^/]*[._-]test)\.[cm]?[jt]s$/
const DECLARES = /\.d\.[cm]?ts$/

/** The files of tests below a folder: all of them, or those that are named, of which a folder stands for what is in it. */
export function testFiles(named: readonly string[], cwd: string, files: ProcessFiles): string[] {
  if (named.length === 0) return below(cwd, files).filter((file) => isTest(file.slice(cwd.length)))
  return named.flatMap((name) => {
    const full = path.resolve(cwd, name)
    if (files.isFile(full)) return [full]
    return files.isFolder(full) ? below(full, files).filter((file) => isTest(file.slice(cwd.length))) : []
  })
}

const isTest = (file: string): boolean => TEST.test(file) && !DECLARES.test(file)

function below(folder: string, files: ProcessFiles): string[] {
  return [...files.folder('scandir', folder).names].toSorted().flatMap((name) => {
    const full = `${folder === '/' ? '' : folder}/${name}`
    if (files.isFile(full)) return [full]
    return name === 'node_modules' ? [] : below(full, files)
  })
}
