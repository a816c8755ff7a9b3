import type { ProjectFiles } from '../common/projectFiles.ts'

const SETTINGS = /^\/(?:postcss\.config\.(?:[cm]?[jt]s|json)|\.postcssrc(?:\.\w+)?)$/

/** Says that settings of PostCSS are not followed here, where a project has some. */
export function postcssNotice(files: ProjectFiles): string[] {
  const path = [...files.keys()].find((name) => SETTINGS.test(name))
  return path === undefined ? [] : [`${path.slice(1)}: plug-ins of PostCSS need a devbox. They are not used here.`]
}
