// What Babel and plug-ins of PostCSS ask of Node where there is none: they only look for settings.
export const process = { env: {}, argv: [], platform: 'browser', version: '', versions: {}, cwd: () => '/' }
