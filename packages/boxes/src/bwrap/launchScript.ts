import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { DiskMount } from '../disk/workspaceStore.ts'
import { STAGE } from './rootFileSystem.ts'

/**
 * Runs in a mount namespace of its own, so that nothing it mounts is ever seen by the host and all of it ends with the last
 * process. It gathers the disk and what the box needs of the host in one place that any user can reach, since folders like /root
 * are closed to the user that boxes run as, then becomes the command. All is mounted by one program: starting one for each mount would
 * take longer than everything else here.
 *
 * Arguments: STAGE, WORKING_FOLDER, TABLE in the form of fstab, names of folders and of files to mount on, then files of control groups to
 * enter, `--`, the command. Names are ours; everything else is quoted: nothing of it is ever read as a program.
 */
export const LAUNCH_SCRIPT = `set -eu
stage=$1 folder=$2 table=$3 folders=$4 files=$5
shift 5
while [ "$1" != -- ]; do
  echo $$ > "$1"
  shift
done
shift
mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev boxyard "$stage"
cd "$stage"
mkdir $folders
for name in $files; do : > "$name"; done
printf %s "$table" > table
cd "$folder"
mount -a -T "$stage/table"
cd /
exec "$@"
`

export interface LaunchPlan {
  /** An empty folder. */
  stage: string
  disk: DiskMount
  /** Paths on the host by the names that they get in the stage, which are words of letters, digits and dashes. */
  sources: readonly (readonly [name: string, path: string])[]
  /** Files of control groups that the launcher enters. */
  groups: readonly string[]
  command: readonly string[]
}

/** The arguments of LAUNCH_SCRIPT. */
export async function launchArguments({ stage, disk, sources, groups, command }: LaunchPlan): Promise<string[]> {
  const kinds = await Promise.all(
    sources.map(async ([, source]) => ((await stat(source)).isDirectory() ? 'folder' : 'file')),
  )
  const named = (kind: string): string[] => sources.flatMap(([name], index) => (kinds[index] === kind ? [name] : []))
  const at = (name: string): string => path.join(stage, name)
  const bind = (source: string, target: string): string[] => [source, target, 'none', 'rbind']
  const table = [
    disk.kind === 'folder' ? bind(disk.path, at('disk')) : ['boxyard', at('disk'), 'overlay', disk.options],
    ...sources.map(([name, source]) => bind(source, at(name))),
    bind(stage, STAGE),
  ]
  const lines = table.map((fields) => `${fields.map(fieldOfTable).join(' ')} 0 0\n`)
  const folder = disk.kind === 'folder' ? '/' : disk.cwd
  return [
    [stage, folder, lines.join(''), ['disk', ...named('folder')].join(' '), named('file').join(' ')],
    [...groups, '--', ...command],
  ].flat()
}

/** As fstab writes what would end a field. */
function fieldOfTable(text: string): string {
  return text.replaceAll(/[\\\s#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

/** Mounts a disk without a sandbox and runs a command on it. Arguments: STAGE, WORKING_FOLDER, OPTIONS, the command. */
export const MOUNT_SCRIPT = `set -eu
stage=$1 folder=$2 options=$3
shift 3
cd "$folder"
mount -t overlay -o "$options" boxyard "$stage"
exec "$@"
`

/** The program and arguments that give a script a mount namespace: as root directly, else inside a user namespace. */
export function inMountNamespace(root: boolean, script: string, args: readonly string[]): [string, string[]] {
  const user = root ? [] : ['--user', '--map-root-user']
  return [
    'unshare',
    [...user, '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', script, 'boxyard', ...args],
  ]
}
