/** `npm run bench`: what a request costs, as a multiple of what Node itself needs to answer anything. */
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { makeCallers } from './callers.ts'
import { withCleanUp } from './clean-up.ts'
import { startClient } from './clients.ts'
import { makeFhirCallers } from './fhir-callers.ts'
import { findFhirRecords } from './fhir-records.ts'
import { reportFloods } from './floods.ts'
import { createInstallation, startFloor } from './installation.ts'
import { reportRows } from './report-rows.ts'
import type { Context } from './rows.ts'
import { makeVisitors } from './visitors.ts'
import { reportWeb } from './web.ts'

/** So many practices at 400 requests a second each are more than any machine here serves. */
const PRACTICES = 60

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1.5' },
    only: { type: 'string', default: '' },
  },
})
const { only } = values
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) }

await withCleanUp(async (undo) => {
  const installation = await createInstallation(undo)
  const callers = await makeAllCallers(installation.owner)
  const server = await installation.startServer()
  if (only === '' || only === 'web') await reportWeb(server.origin)
  if (only === 'web') return
  const context = { ...callers, patientIds: await readPatientIds(server.origin, callers.callers) }
  const client = startClient()
  undo(() => client.stop())
  if (only === '' || only === 'floods')
    await reportFloods(undo, client, server.origin, context, { rounds: 3, seconds: 2 })
  if (only === 'floods') return
  const floor = await startFloor(undo)
  await reportRows(client, { floor, server }, context, { ...effort, only })
})

async function makeAllCallers(owner: pg.Pool): Promise<Omit<Context, 'patientIds'>> {
  const callers = await makeCallers(owner, PRACTICES, {
    slug: 'bench',
    records: 'sandpiper-demonstration',
    level: 'read_only',
  })
  const writers = await makeCallers(owner, PRACTICES, {
    slug: 'bench-writer',
    records: 'harbor-family',
    level: 'full',
  })
  const slugs = Array.from({ length: PRACTICES }, (_, index) => `bench-${index}`)
  return {
    callers,
    writers,
    fhirCallers: await makeFhirCallers(owner, slugs),
    fhir: await findFhirRecords(owner),
    visitors: await makeVisitors(owner),
  }
}

async function readPatientIds(origin: string, [caller]: Context['callers']): Promise<string[]> {
  const response = await fetch(`${origin}/sandbox/api/v1/patients?limit=100`, { headers: caller?.headers })
  if (!response.ok) throw new Error(`the list of patients answers ${response.status}`)
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}
