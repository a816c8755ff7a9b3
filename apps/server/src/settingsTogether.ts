/** Notes in `problems` when only some of these settings are given. */
export function settingsTogether<Env extends object>(
  env: Env,
  names: readonly (keyof Env & string)[],
  problems: string[],
): void {
  const given = names.filter((name) => env[name] !== undefined)
  if (given.length === 0 || given.length === names.length) return
  const wanted = names.length === 2 ? 'give both or neither' : 'give all or none'
  problems.push(`${names.slice(0, -1).join(', ')} and ${names.at(-1)} belong together: ${wanted}.`)
}
