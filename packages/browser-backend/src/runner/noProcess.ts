// What Babel asks of Node where there is none: it only looks for settings.
export const process = { env: {}, argv: [], platform: 'browser', version: '', versions: {}, cwd: () => '/' }
