/** The bulk API of a whole server with a worker, on a database and a folder of its own. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '../../server/jobs/worker.ts'
import { type FhirAnswer, type FhirCallOptions, fhirStack } from './fhir.ts'
import type { TestServicesOptions } from './services.ts'
import { closeAtEndOfFile } from './to-close.ts'

export const kickOffHeaders = { accept: 'application/fhir+json', prefer: 'respond-async' }
export const groupId = 'gr-all-patients'

export async function bulkStack({ environment, ...options }: TestServicesOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-exports-'))
  const stack = await fhirStack({ ...options, environment: { EXPORT_DIR: folder, ...environment } })
  const { services, call } = stack
  // The clock runs ahead with every look, and a busy machine takes many.
  const issueToken: typeof stack.issueToken = (options) =>
    stack.issueToken({ expiresAt: new Date(services.clock().getTime() + 86_400_000), ...options })
  let worker: Awaited<ReturnType<typeof startWorker>> | null = null
  closeAtEndOfFile(async () => {
    await stopWorker()
    rmSync(folder, { recursive: true, force: true })
  })

  async function work(): Promise<void> {
    worker ??= await startWorker(services)
  }

  async function stopWorker(): Promise<void> {
    await worker?.stop()
    worker = null
  }

  function kickOff(
    token: string,
    query = '',
    { headers, ...more }: FhirCallOptions = {},
  ): Promise<FhirAnswer> {
    const all = { ...kickOffHeaders, ...headers }
    return call(`Group/${groupId}/$export${query}`, { token, ...more, headers: all })
  }

  const statusOf = ({ headers }: FhirAnswer) => headers.get('content-location') ?? ''

  /** Looks every second of the tests' clock until it is over. */
  async function wait(url: string, token: string): Promise<FhirAnswer> {
    for (;;) {
      services.advance(1_000)
      const answer = await call(url, { token })
      if (answer.status !== 202) return answer
      await sleep(50)
    }
  }

  /** From kick-off to manifest. */
  async function run(token: string, query = ''): Promise<FhirAnswer & { url: string }> {
    const begun = await kickOff(token, query)
    if (begun.status !== 202) throw new Error(`the kick-off answers ${begun.status} ${begun.text}`)
    await work()
    const url = statusOf(begun)
    return { ...(await wait(url, token)), url }
  }

  /** Lines of a type, of all its files. */
  async function lines({ body }: FhirAnswer, type: string, token: string): Promise<string[]> {
    const found: string[] = []
    for (const { url } of body.output.filter((each: { type: string }) => each.type === type)) {
      const file = await call(url, { token })
      if (file.status !== 200) throw new Error(`a file answers ${file.status}`)
      found.push(...file.text.split('\n').filter(Boolean))
    }
    return found
  }

  const filesLeft = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length

  return { ...stack, issueToken, folder, work, stopWorker, kickOff, statusOf, wait, run, lines, filesLeft }
}

export type BulkStack = Awaited<ReturnType<typeof bulkStack>>
