import type { TestProject } from 'vitest/node'
import { startPgbouncer } from './pgbouncer.ts'
import { startTestServer, type TestServer } from './test-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

/** Both projects of a run share one server; the last to finish stops it. */
let running: ReturnType<typeof startTestServer> | undefined
let projects = 0

/** With THROUGH_PGBOUNCER=1 the services of the tests reach the server by way of PgBouncer. */
async function start(): ReturnType<typeof startTestServer> {
  const started = await startTestServer(process.env.DATABASE_URL || undefined)
  if (process.env.THROUGH_PGBOUNCER !== '1') return started
  const { hostname, port, searchParams } = new URL(started.server.appUrl)
  const bouncer = await startPgbouncer(
    { host: searchParams.get('host') ?? hostname, port: Number(searchParams.get('port') ?? port) || 5432 },
    // Every file has a database of its own, and a machine that is busy with all of them.
    { settings: { query_wait_timeout: '15', server_idle_timeout: '10' } },
  )
  return {
    ...started,
    server: { ...started.server, pooledUrl: bouncer.urlOf('DATABASE') },
    stop: async () => {
      await bouncer.remove()
      await started.stop()
    },
  }
}

export default async function setup(project: TestProject) {
  projects++
  running ??= start()
  const { server, stop } = await running
  project.provide('testServer', server)
  return async () => {
    if (--projects === 0) await stop()
  }
}
