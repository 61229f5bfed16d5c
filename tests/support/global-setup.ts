import type { TestProject } from 'vitest/node'
import { startTestServer, type TestServer } from './test-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

/** Both projects of a run share one server; the last to finish stops it. */
let running: ReturnType<typeof startTestServer> | undefined
let projects = 0

export default async function setup(project: TestProject) {
  projects++
  running ??= startTestServer(process.env.DATABASE_URL || undefined)
  const { server, stop } = await running
  project.provide('testServer', server)
  return async () => {
    if (--projects === 0) await stop()
  }
}
