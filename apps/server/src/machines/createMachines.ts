import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { USUAL_TIER } from '@boxyard/api'
import { BoxError, BoxService, openDriver, sharedInBox, systemClock } from '@boxyard/boxes'
import type { BoxDriver, DriverKind, DriverProbe } from '@boxyard/boxes'
import { EgressProxy, InstalledTrees, RegistryMirror, SafeFetch } from '@boxyard/packer'
import type { FastifyRequest } from 'fastify'
import { registerEdge } from '../edge/registerEdge.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { gitHostUrl } from '../gitHost/gitHostPart.ts'
import { previewHostTemplate } from '../http/hosts.ts'
import { findSandbox } from '../sandboxes/index.ts'
import type { TemplateCatalogue } from '../sandboxes/index.ts'
import { createGitGateway, GIT_PATH } from '../repositories/gitGateway.ts'
import { secretsOfBox } from '../secrets/secrets.ts'
import { installation } from '../installation.ts'
import { StartError } from '../startError.ts'
import { boxTier } from './boxTier.ts'
import { boxEnvironment, registryAddress } from './boxEnvironment.ts'
import { followSetup } from './followSetup.ts'
import { idleTimeOf } from './idleTime.ts'
import { MachineService } from './machineService.ts'
import { PostgresBoxStore } from './postgresBoxStore.ts'
import { registerOperatorRoutes } from './operatorRoutes.ts'
import { firstTextOfPage } from './firstTextOfPage.ts'
import type { FirstTextOfPage } from './firstTextOfPage.ts'
import { registerMachineRoutes } from './routes.ts'
import { registerSdk } from '../csb/registerSdk.ts'
import { mintPlatformToken } from './startAnswer.ts'
import { sleepService } from './sleepService.ts'
import { treeService } from './treeService.ts'
import { usageService } from './usageService.ts'
import { TemplateDisks } from './templateDisks.ts'
import { registerVsCodeServer } from '../vsCodeServer/routes.ts'
import { SharedServer } from '../vsCodeServer/sharedServer.ts'

/** Micro: enough for a dev server, a language server and tests. */
const TIER = boxTier(USUAL_TIER)
const IDLE_MS = 30 * 60 * 1000

export interface Machines {
  service: MachineService
  firstText(request: FastifyRequest): Promise<FirstTextOfPage | null>
  close(): Promise<void>
}

/** Everything that runs devboxes: driver, boxes, registry mirror, egress, the routes that start them and the edge that reaches them. */
export async function createMachines(
  app: App,
  context: ServerContext,
  templates: TemplateCatalogue,
): Promise<Machines> {
  const { configuration, database, registries, tokens, log } = context
  const sharedFolder = join(configuration.home, 'shared')
  const kind = configuration.driver === 'auto' ? 'bwrap' : configuration.driver
  await mkdir(sharedFolder, { recursive: true, mode: 0o755 })
  const { driver, probe } = await openConfiguredDriver(kind, configuration.home, sharedFolder, (message) =>
    log.info(message),
  )
  const fetch = new SafeFetch({ trustedOrigins: registries.npm === null ? [] : [registries.npm] })
  const mirror = new RegistryMirror({
    folder: join(configuration.home, 'packages'),
    registry: registries.npm,
    publicBase: registryAddress,
    fetch,
  })
  const trees = new InstalledTrees({
    folder: join(configuration.home, 'packages', 'trees'),
    mirror,
    onMade: (id, file) => driver.keepTree(id, file),
    onFailure: (error, { id }) => log.info({ err: error, tree: id }, 'the packages of a lockfile were not laid out'),
  })
  await trees.open()
  const egress = new EgressProxy({
    mirror,
    allowedHosts: registries.pip === null ? [] : [new URL(registries.pip).hostname],
    services: [
      { path: GIT_PATH, answer: createGitGateway(context, { url: gitHostUrl(configuration) }) },
      sleepService({ hibernate: (boxId) => service.hibernate(boxId) }, log),
      usageService({ usageOf: (boxId) => service.usageOf(boxId) }),
      treeService(trees, driver, (error) =>
        log.warn({ err: error }, 'packages could not be shared, so they are unpacked'),
      ),
    ],
    onRefused: (box, address) => log.info({ box, address }, 'refused an address to a box'),
  })
  const sockets = join(configuration.home, 'run', 'egress')
  await mkdir(sockets, { recursive: true, mode: 0o711 })
  const network = {
    async open(boxId: string) {
      const socket = join(sockets, `${boxId}.sock`)
      await egress.open(boxId, socket)
      return socket
    },
    release: (boxId: string) => egress.close(boxId),
  }
  const env = boxEnvironment({
    publicKey: JSON.stringify(tokens.publicJwk),
    previewHost: previewHostTemplate(configuration.base),
    pipIndex: registries.pip,
  })
  const platformToken = (boxId: string, epoch: number) => mintPlatformToken(tokens, boxId, epoch)

  const store = new PostgresBoxStore(database)
  const boxes = new BoxService({ driver, store, clock: systemClock, log: (message) => log.info(message) })
  await boxes.open()
  const templateDisks = new TemplateDisks({
    folder: join(configuration.home, 'boxes', 'templates-being-made'),
    driver,
    tier: TIER,
    network,
    env,
    followSetup: async (boxId, onProgress) =>
      followSetup(await driver.connect(boxId), await platformToken(boxId, 1), onProgress),
    onWarning: (message, detail) => log.warn(detail, message),
  })
  await templateDisks.open()
  const service = new MachineService({
    boxes,
    templates: templateDisks,
    templateOf: async (sandboxId) => {
      const sandbox = await findSandbox(database, sandboxId)
      return sandbox?.template == null ? null : templates.find(sandbox.template)
    },
    network,
    env,
    secretsOf: (boxId) => secretsOfBox(database, context.sealer, boxId),
    platformToken,
    tier: TIER,
    isolation: probe.isolation,
    forksMemory: probe.capabilities.has('memoryFork'),
    idleTimeOf: (boxId) => idleTimeOf(database, boxId),
    idleMs: IDLE_MS,
  })
  for (const id of await store.orphans()) {
    log.info({ box: id }, 'removing a box whose sandbox never came to be')
    await service.remove(id)
  }

  context.health.register('boxes', async () => {
    const { ok, reasons } = await driver.probe()
    return ok ? null : reasons.join(' ')
  })
  registerMachineRoutes(app, context, service)
  registerOperatorRoutes(app, context, service)
  registerVsCodeServer(app, context, service, new SharedServer(sharedFolder, sharedInBox(kind, sharedFolder), mirror))
  const edge = registerEdge(app, context, service)
  registerSdk(app, context, { machines: service, templates })
  log.info({ driver: driver.name, isolation: probe.isolation, reasons: probe.reasons }, 'boxes are ready')

  return {
    service,
    firstText: (request) => firstTextOfPage(database, service, request),
    async close() {
      await edge.close()
      await boxes.dispose()
      await driver.dispose()
      await egress.dispose()
      await trees.close()
      await fetch.close()
    },
  }
}

/** Opens the driver of the settings, proved to work here. Throws StartError with what to do where it does not. */
async function openConfiguredDriver(
  kind: DriverKind,
  home: string,
  shared: string,
  log: (message: string) => void,
): Promise<{ driver: BoxDriver; probe: DriverProbe }> {
  try {
    return await openDriver(kind, {
      home: join(home, 'boxes'),
      devServer: installation.devServer,
      node: process.execPath,
      shared,
      machines: { images: join(home, 'machines'), guest: installation.guest },
      log,
    })
  } catch (error) {
    if (!(error instanceof BoxError) || error.code !== 'NO_DRIVER') throw error
    throw new StartError(
      [
        'Boxes can not run on this machine.',
        error.detail ?? error.message,
        'Put that right, or set BOXYARD_DRIVER=process to run boxes without isolation, for code you trust.',
      ].join('\n'),
      { cause: error },
    )
  }
}
