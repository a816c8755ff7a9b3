// What answers extensions in the page. The build moves the imports of the extension service here; see delayWorkerExtensionHost() of ../../vite.ts.
