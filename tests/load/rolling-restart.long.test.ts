/**
 * Two processes behind nginx, each stopped by SIGTERM and started again ten times, under load: no request
 * fails. And behind a proxy that asks /readyz, as Kubernetes does.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request as send } from 'node:http'
import { request as sendTls, Agent as TlsAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findNginx, nginxSite, startNginx } from '../support/nginx.ts'
import { startTwoServers, type TwoServers } from './two-servers.ts'

const restarts = 20
const loops = 8
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

let two: TwoServers
let folder: string
let keys: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-rolling-'))
  two = await startTwoServers({
    entry: ['bin/sandpiper.cjs', 'serve'],
    environment: { SANDPIPER_EMBEDDED: '', DRAIN_SECONDS: '' },
  })
  keys = []
  for (let count = 0; count < loops; count++) keys.push((await two.issueKey()).key)
})

afterAll(async () => {
  await two.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How often each path failed, and how. */
type Failures = Record<string, number>

/** What a client with kept connections gets, one request after the other on each, until it is stopped. */
function startLoad(port: number, tls: boolean) {
  const failures: Failures = {}
  let answered = 0
  let going = true
  const agent = tls
    ? new TlsAgent({ keepAlive: true, rejectUnauthorized: false })
    : new Agent({ keepAlive: true })
  const requests = [
    { method: 'GET', path: '/sandbox/api/v1/context', body: undefined },
    { method: 'POST', path: '/sandbox/api/v1/mcp', body: ping },
  ]
  const ask = ({ method, path, body }: (typeof requests)[number], key: string) =>
    new Promise<string>((resolve) => {
      const headers = {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream, text/html',
        ...(body && { 'content-type': 'application/json' }),
      }
      const outgoing = (tls ? sendTls : send)(
        { host: '127.0.0.1', port, method, path, headers, agent },
        (answer) => {
          answer.on('error', (error) => resolve(`broken off: ${error.message}`))
          answer.on('end', () => resolve(answer.complete ? String(answer.statusCode) : 'not whole'))
          answer.resume()
        },
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      outgoing.end(body)
    })
  const page = { method: 'GET', path: '/sign-in', body: undefined }
  const loop = async (key: string, index: number) => {
    for (let turn = 0; going; turn++) {
      // Pages are limited by address: a few of one client.
      const isPage = index === 0 && turn % 30 === 0
      const request = isPage ? page : (requests[turn % requests.length] as (typeof requests)[number])
      const what = await ask(request, key)
      answered++
      if (what !== '200') failures[`${request.path} ${what}`] = (failures[`${request.path} ${what}`] ?? 0) + 1
      // Within the rate limits of a key.
      await delay(100)
    }
  }
  const running = keys.map(loop)
  return {
    async stop() {
      going = false
      await Promise.all(running)
      agent.destroy()
      return { answered, failures }
    },
  }
}

async function rollUnder(
  port: number,
  tls: boolean,
  times = restarts,
): Promise<{ answered: number; failures: Failures }> {
  const load = startLoad(port, tls)
  for (let turn = 0; turn < times; turn++) await two.restart(turn % 2)
  return load.stop()
}

test(`${restarts} restarts behind nginx, 0 failed requests`, async () => {
  const nginx = findNginx()
  if (nginx === null) throw new Error('This test needs nginx (Debian: apt-get install nginx-light)')
  const serverPort = two.servers.map(({ origin }) => Number(new URL(origin).port))
  const front = await startNginx(nginx, { block: nginxSite(), serverPort, folder: join(folder, 'nginx') })

  const { answered, failures } = await rollUnder(front.port, true)

  await front.stop()
  console.log(`${answered} requests through nginx, failed: ${JSON.stringify(failures)}`)
  expect(failures).toEqual({})
  expect(answered).toBeGreaterThan(restarts * loops)
})

test('a proxy that asks /readyz each second sees no failed request either', async () => {
  const proxy = await startReadinessProxy(() => two.servers.map(({ origin }) => origin))

  const { answered, failures } = await rollUnder(proxy.port, false, 4)

  await proxy.close()
  console.log(`${answered} requests through a proxy with probes, failed: ${JSON.stringify(failures)}`)
  expect(failures).toEqual({})
  expect(answered).toBeGreaterThan(4 * loops)
})

/** Sends each request once, to a server that was ready when it was last asked: the drain alone keeps it from failing. */
async function startReadinessProxy(origins: () => string[]) {
  const agent = new Agent({ keepAlive: true })
  let ready: string[] = []
  const look = async () => {
    const answers = await Promise.all(
      origins().map(async (origin) => {
        const answer = await fetch(`${origin}/readyz`).catch(() => null)
        return answer?.status === 200 ? [origin] : []
      }),
    )
    ready = answers.flat()
  }
  await look()
  const timer = setInterval(() => void look(), 1_000)
  let turn = 0
  const server = createServer((request, response) => {
    const origin = ready[turn++ % ready.length]
    const { method, url, headers } = request
    const outgoing = send(`${origin}${url}`, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', (error) => response.writeHead(502).end(error.message))
    request.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      clearInterval(timer)
      agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
