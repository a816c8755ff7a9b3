import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'

/** Names as the build gives them: each carries a hash of its content. */
const webviewFiles = /^\/assets\/((?:index|fake)-[\w-]+\.html|service-worker-[\w-]+\.js)$/
const hostPage = /^\/assets\/(webWorkerExtensionHostIframe-[\w-]+\.html)$/

/**
 * The pages in which extensions run (the host of their code, and their views), on `frame-{hash}.preview.BASE`. These origins have nothing else:
 * no cookie of the app, no storage of its, and no route that answers to one.
 */
export function editorFrames({ folder, appOrigin }: { folder: string; appOrigin: string }): RequestListener {
  const answer = async (method: string | undefined, url: string | undefined, response: ServerResponse) => {
    const path = (url ?? '/').split('?', 1)[0]!
    const name = (webviewFiles.exec(path) ?? hostPage.exec(path))?.[1]
    const content = name && method === 'GET' ? await read(join(folder, 'assets', name)) : null
    if (!name || content === null) return end(response, 404, 'text/plain; charset=utf-8', 'Not found\n')
    response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    if (name.endsWith('.js')) return end(response, 200, 'text/javascript; charset=utf-8', content)
    const page = hostPage.test(path) ? extensionHostPage(content, appOrigin) : { html: content, policy: [] }
    response.setHeader('content-security-policy', [...page.policy, `frame-ancestors ${appOrigin} 'self'`].join('; '))
    return end(response, 200, 'text/html; charset=utf-8', page.html)
  }
  return (request, response) => {
    answer(request.method, request.url, response).catch(() => {
      if (response.headersSent) response.destroy()
      else end(response, 500, 'text/plain; charset=utf-8', 'This page of the editor could not be read\n')
    })
  }
}

/**
 * The page that starts the worker of extensions. The policy that VS Code wrote into it knows localhost and CDNs; the one in its place lets code
 * come from this server alone, and extensions talk to whom they like: they have nobody's rights there.
 */
export function extensionHostPage(html: string, appOrigin: string): { html: string; policy: string[] } {
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1]
  const meta = /<meta http-equiv="Content-Security-Policy"[\s\S]*?\/>/.exec(html)?.[0]
  if (script === undefined || meta === undefined) throw new Error('The page of the extension host is not as expected')
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    html: html.replace(meta, ''),
    policy: [
      "default-src 'none'",
      `script-src 'sha256-${hash}' 'unsafe-eval' blob: data: ${appOrigin}`,
      'worker-src blob: data:',
      `connect-src ${appOrigin} https: wss: data: blob:`,
    ],
  }
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function end(response: ServerResponse, status: number, type: string, content: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(content)
}
