/** What answers extensions in the page; made by delayWorkerExtensionHost() of ../../vite.ts. */
declare module 'virtual:boxyard-main-thread'
