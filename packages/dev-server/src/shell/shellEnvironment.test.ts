import { expect, it } from 'vitest'
import { shellEnvironment } from './shellEnvironment.ts'

it('SH5: the environment of a shell has no variable that is meant for the dev server', () => {
  const environment = shellEnvironment(
    {
      PATH: '/home/boxyard/.local/bin:/usr/bin:/bin',
      BOXYARD_PUBLIC_KEY: 'k',
      NODE_ENV: 'production',
      HTTPS_PROXY: 'http://127.0.0.1:16380',
      TERM: 'dumb',
    },
    {
      boxId: 'b1',
      previewHost: '{id}-{port}.preview.example.test',
      home: '/home/boxyard',
      workspace: '/project/workspace',
      programs: '/opt/ours',
      egressSocket: '/run/egress.sock',
    },
    { username: 'boxyard', shell: '/bin/zsh' },
  )
  expect(environment).toEqual({
    PATH: '/home/boxyard/.local/bin:/opt/ours:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    BOXYARD_INSTALL_SOCKET: '/run/egress.sock',
    BOXYARD_INSTALL_WORKSPACE: '/project/workspace',
    HTTPS_PROXY: 'http://127.0.0.1:16380',
    HOME: '/home/boxyard',
    USER: 'boxyard',
    LOGNAME: 'boxyard',
    SHELL: '/bin/zsh',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    CSB_BASE_PREVIEW_HOST: 'preview.example.test',
    CODESANDBOX_HOST: 'b1-$PORT.preview.example.test',
  })
})
