// Type-checks every workspace with its own tsconfig, so that Node types never leak into browser code. What did not change since the last
// time is not checked again.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const projects = ['packages', 'apps']
  .flatMap((root) => readdirSync(root).map((name) => `${root}/${name}/tsconfig.json`))
  .concat('tsconfig.json')
  .filter((path) => existsSync(path))

let failed = 0
for (const project of projects) {
  const cache = `node_modules/.cache/types/${project.replaceAll('/', '.')}buildinfo`
  const options = ['-p', project, '--incremental', '--tsBuildInfoFile', cache]
  const { status } = spawnSync('node_modules/.bin/tsc', options, { stdio: 'inherit' })
  if (status !== 0) {
    failed += 1
    console.error(`type errors in ${project}`)
  }
}
process.exit(failed === 0 ? 0 : 1)
