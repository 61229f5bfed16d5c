import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startTwoServers, type TwoServers } from './two-servers.ts'

const REQUESTS = 10_000
const AT_ONCE = 16

let two: TwoServers

beforeAll(async () => {
  two = await startTwoServers()
})

afterAll(() => two.close())

const patient = '/patients/pt-wren-testwell'

describe('after a key is revoked', () => {
  const revoked = (through: readonly ServerProcess[]) =>
    askAfter(({ keyId }) => two.services.keys.revoke({ keyId }, two.actor()), { through, path: '/context' })

  it(`${REQUESTS} of the next ${REQUESTS} requests are refused by one process that knew the key`, async () => {
    expect(await revoked(two.servers.slice(0, 1))).toEqual({ 401: REQUESTS })
  })

  it(`${REQUESTS} of the next ${REQUESTS} requests are refused by two processes that knew the key`, async () => {
    expect(await revoked(two.servers)).toEqual({ 401: REQUESTS })
  })
})

/** Requests over the key's limit get 429 and show nothing either. */
describe('two processes, at the next request', () => {
  it('refuse what a narrowed key may not read any more', async () => {
    const { practiceId, actor } = await two.addAdmin()
    const narrow = ({ keyId }: Issued) =>
      two.services.keyAccess.narrow(
        {
          ...{ practiceId, keyId, version: 0, reason: 'Problems are all that this needs.' },
          ...{ dataClasses: ['problems'], purposes: ['operations'] },
        },
        actor(),
      )

    const tally = await askAfter(narrow, { through: two.servers, path: patient })

    expect(Object.keys(tally).filter((status) => status !== '429')).toEqual(['403'])
  })

  it('find nothing of a patient who was withheld', async () => {
    const { practiceId, actor } = await two.addAdmin()
    const patientId = patient.split('/').at(-1) ?? ''
    const reason = 'The patient asked for it at the desk.'
    const withhold = () => two.services.withheldPatients.withhold({ practiceId, patientId, reason }, actor())

    const tally = await askAfter(withhold, { through: two.servers, path: patient })

    expect(Object.keys(tally).filter((status) => status !== '429')).toEqual(['404'])
  })
})

type Issued = Awaited<ReturnType<TwoServers['issueKey']>>

/** Status → how often, of the requests sent after the change was made. */
async function askAfter(
  change: (issued: Issued) => Promise<unknown>,
  { through, path }: Readonly<{ through: readonly ServerProcess[]; path: string }>,
): Promise<Record<number, number>> {
  const issued = await two.issueKey()
  const { key } = issued
  for (const server of through) expect(await two.ask(server, key, path)).toBe(200)
  // Requests are under way when the change comes, so that caches and pools are busy with the key.
  let changed = false
  const busy = Promise.all(
    through.map(async (server) => {
      while (!changed) await two.ask(server, key, path)
    }),
  )
  await change(issued)
  const tally: Record<number, number> = {}
  let sent = 0
  const sender = async () => {
    for (let index = sent++; index < REQUESTS; index = sent++) {
      const server = through[index % through.length]
      const status = server ? await two.ask(server, key, path) : 0
      tally[status] = (tally[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  changed = true
  await busy
  return tally
}
