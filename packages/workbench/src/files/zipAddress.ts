/**
 * The address of an archive that the box offers: its path, at the host that the platform gives to that port. What the box says is the host does not
 * count, since the token of the person goes there.
 */
export async function zipAddress(offered: string, previewUrl: (port: number) => Promise<string>): Promise<string> {
  const { host, pathname } = new URL(offered)
  const port = Number(/-(\d+)\./.exec(host)?.[1])
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('The box offers it at no port')
  const address = new URL(await previewUrl(port))
  address.pathname = pathname
  return address.href
}
