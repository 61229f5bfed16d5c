/** Exports of the demonstration practice, one after the other, each that was accepted followed to its files. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../server/services.ts'
import { demonstration, smartSupport } from '../support/smart.ts'

type FinishedExport = { id: string; patients: number; errors: number }

/** @param work over: no other export is begun */
export async function runExports(
  services: Services,
  origin: string,
  work: { over: boolean },
): Promise<FinishedExport[]> {
  let exporter: { clientId: string } | null = null

  /** A token lasts five minutes, and the database it is written to may be away. */
  async function tokenOf(): Promise<string> {
    for (;;) {
      const issued = await smartSupport(services)
        .issueToken({ scope: 'system/*.rs', ...(exporter && { client: exporter }) })
        .catch(() => null)
      if (issued) {
        exporter = { clientId: issued.clientId }
        return issued.access_token
      }
      await sleep(300)
    }
  }

  async function kickOff(): Promise<string | null> {
    const response = await fetch(
      `${origin}/r4/${demonstration}/Group/gr-all-patients/$export?_type=Patient,Condition`,
      {
        headers: {
          authorization: `Bearer ${await tokenOf()}`,
          accept: 'application/fhir+json',
          prefer: 'respond-async',
        },
      },
    ).catch(() => null)
    await response?.text().catch(() => '')
    return response?.status === 202 ? response.headers.get('content-location') : null
  }

  async function followExport(url: string): Promise<FinishedExport> {
    const path = new URL(url).pathname
    for (;;) {
      await sleep(1_000)
      const response = await fetch(`${origin}${path}`, {
        headers: { authorization: `Bearer ${await tokenOf()}` },
      }).catch(() => null)
      const text = await response?.text().catch(() => '')
      if (response?.status === 200 && text) return readFiles(path, text)
      if (response && ![202, 429, 503].includes(response.status))
        throw new Error(`an accepted export answers ${response.status} ${text?.slice(0, 200)}`)
    }
  }

  async function readFiles(id: string, manifest: string): Promise<FinishedExport> {
    const { output, error } = JSON.parse(manifest) as {
      output: { type: string; url: string; count: number }[]
      error: unknown[]
    }
    let patients = 0
    for (const { type, url, count } of output) {
      const { pathname, search } = new URL(url)
      const lines = await readFile(`${pathname}${search}`)
      if (lines !== count) throw new Error(`a file of ${type} has ${lines} lines of ${count}`)
      if (type === 'Patient') patients += count
    }
    return { id, patients, errors: error.length }
  }

  /** @returns how many lines it has */
  async function readFile(path: string): Promise<number> {
    for (;;) {
      const response = await fetch(`${origin}${path}`, {
        headers: { authorization: `Bearer ${await tokenOf()}`, accept: 'application/fhir+ndjson' },
      }).catch(() => null)
      const text = await response?.text().catch(() => null)
      if (response?.status === 200 && typeof text === 'string') return text.split('\n').length - 1
      if (response && ![200, 429, 503].includes(response.status))
        throw new Error(`a file of an export answers ${response.status} ${text?.slice(0, 200)}`)
      await sleep(500)
    }
  }

  const finished: FinishedExport[] = []
  while (!work.over) {
    const url = await kickOff()
    if (url === null) await sleep(300)
    else finished.push(await followExport(url))
  }
  return finished
}
