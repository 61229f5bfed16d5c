/** Exports of the demonstration practice, one after the other, each that was accepted followed to its manifest. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
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
      if (response?.status === 200 && text) return readManifest(path, text)
      if (response && ![202, 429, 503].includes(response.status))
        throw new Error(`an accepted export answers ${response.status} ${text?.slice(0, 200)}`)
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

function readManifest(id: string, text: string): FinishedExport {
  const { output, error } = JSON.parse(text) as {
    output: { type: string; count: number }[]
    error: unknown[]
  }
  const patients = output.filter(({ type }) => type === 'Patient').reduce((sum, { count }) => sum + count, 0)
  return { id, patients, errors: error.length }
}

export function checkExports(finished: readonly FinishedExport[]): void {
  expect(finished.length).toBeGreaterThan(0)
  expect(new Set(finished.map(({ id }) => id)).size).toBe(finished.length)
  // Every one is whole: the practice's people do not change meanwhile.
  for (const { patients, errors } of finished) expect([patients, errors]).toEqual([finished[0]?.patients, 0])
  expect(finished[0]?.patients).toBeGreaterThan(0)
}
