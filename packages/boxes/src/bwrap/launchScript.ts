/**
 * Runs in a mount namespace of its own, so that nothing it mounts is ever seen by the host and all of it ends with the last
 * process. It gathers the disk and what the box needs of the host in one place that any user can reach, since folders like /root
 * are closed to the user that boxes run as, then becomes the command.
 *
 * Arguments: STAGE, then `folder PATH -` or `overlay WORKING_FOLDER OPTIONS`, then files of control groups to enter, `--`,
 * pairs of SOURCE and NAME, `--`, the command. Everything is quoted: nothing of it is ever read as a program.
 */
export const LAUNCH_SCRIPT = `set -eu
stage=$1 kind=$2 folder=$3 options=$4
shift 4
while [ "$1" != -- ]; do
  echo $$ > "$1"
  shift
done
shift
mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev boxyard "$stage"
mkdir "$stage/disk"
if [ "$kind" = overlay ]; then
  cd "$folder"
  mount -t overlay -o "$options" boxyard "$stage/disk"
  cd /
else
  mount --rbind "$folder" "$stage/disk"
fi
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir "$stage/$2"; else : > "$stage/$2"; fi
  mount --rbind "$1" "$stage/$2"
  shift 2
done
shift
mount --rbind "$stage" /tmp
exec "$@"
`

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
