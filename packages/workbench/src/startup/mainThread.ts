// The build moves here what answers extensions in the page; see delayWorkerExtensionHost() of ../../vite.ts.

declare global {
  /** Read by the rewritten line of the extension service. */
  var __boxyardWorkerExtensionHost: boolean | undefined
}

/** Lets the worker host start: what it asks the page for is there. */
export function letHostStart(): void {
  globalThis.__boxyardWorkerExtensionHost = true
}
