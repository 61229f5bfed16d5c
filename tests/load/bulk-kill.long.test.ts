/** kill -9 of the whole server in the middle of an export, and what a client sees of it before and after. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { importJWK } from 'jose'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { createBulkClient } from '../support/bulk-client.ts'
import { createInstallation, type Installation } from './installation.ts'

const practice = 'sandpiper-demonstration'

let installation: Installation

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
})

afterAll(() => installation.remove())

/** The sample backend system, by the credentials that the installation made. */
async function sampleSystem() {
  const text = readFileSync(join(installation.folder, 'demo-apps.json'), 'utf8')
  const { privateJwk } = JSON.parse(text)['sample-backend-system']
  const privateKey = (await importJWK(privateJwk, privateJwk.alg)) as CryptoKey
  return createBulkClient({
    base: `${installation.origin}/r4/${practice}`,
    clientId: 'sample-backend-system',
    key: { alg: privateJwk.alg, kid: privateJwk.kid, publicJwk: {}, privateKey },
    scope: 'system/*.rs',
    fetch: (request) => fetch(request),
    now: () => new Date(),
    sleep: (seconds) => sleep(seconds * 1_000),
  })
}

/** Processes that write exports of this installation, whoever their parent is. */
function exportProcesses(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isExport(pid))
}

function isExport(pid: number): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (!command.includes('bulk/run/child')) return false
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${installation.folder}`)
  } catch {
    return false
  }
}

function filesOf(id: string): string[] {
  try {
    const folder = join(installation.folder, 'exports', id)
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => each.name)
  } catch {
    return []
  }
}

/** Stops the writing process as soon as some of its files are whole and others are not there yet. */
async function stopHalfway(id: string): Promise<number> {
  for (;;) {
    const [pid] = exportProcesses()
    if (pid !== undefined && filesOf(id).some((name) => name.endsWith('.ndjson'))) {
      process.kill(pid, 'SIGSTOP')
      return pid
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('a server killed in the middle of an export leaves no process behind, and ends the export when it is back', async () => {
  onTestFailed(() => console.log(installation.log().slice(-6_000)))
  const system = await sampleSystem()
  const url = await system.kickOff()
  const id = url.split('/').at(-1) ?? ''
  const pid = await stopHalfway(id)
  const half = filesOf(id)

  const killed = installation.killNode()
  // It would keep the server's output open for as long as it stands still.
  process.kill(pid, 'SIGCONT')
  await killed
  await expect.poll(exportProcesses, { timeout: 30_000, interval: 50 }).toEqual([])
  await installation.start()
  // Its client checks that every file is as long as the manifest says.
  const { resources } = await system.finish(url)

  expect(half.length).toBeGreaterThan(0)
  // What the killed run had written is gone; the next run's files lie in a folder of its own.
  expect(readdirSync(join(installation.folder, 'exports', id))).toEqual(['2'])
  expect(filesOf(id).filter((name) => name.endsWith('.part'))).toEqual([])
  const { resources: undisturbed } = await system.finish(await system.kickOff())
  expect(countsOf(resources)).toEqual(countsOf(undisturbed))
  expect(exportProcesses()).toEqual([])
})

const countsOf = (resources: Map<string, unknown[]>) =>
  Object.fromEntries([...resources].map(([type, each]) => [type, each.length]))
