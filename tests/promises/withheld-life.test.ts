/** A patient is withheld while requests run, keys write, apps hold tokens, exports are served and data is replaced. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { bulkStack } from '../support/bulk.ts'
import { masked } from '../support/masked.ts'
import { personStack, standalone } from '../support/smart-person.ts'
import { withheldStack } from '../support/withheld.ts'

const patientId = 'pt-otis-samplewood'

const stack = await withheldStack()
const writer = await stack.rest.issueWriter()

const read = (id: string) => stack.rest.call(`/patients/${id}`, { key: writer.key })
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  stack.rest.post(path, body, { key: writer.key, headers })
const person = (mrn: string) => ({
  name: { family: 'Samplewood', given: ['Juniper'] },
  birthDate: '1988-02-17',
  mrn,
})

test('a key that writes is refused as for nobody’s chart, and the record number says nothing', async () => {
  const mrn = 'SYN-WITHHELD-1'
  const idempotency = { 'idempotency-key': randomUUID() }
  const made = (await post('/patients', person(mrn), idempotency)).body
  expect((await post('/patients', person(mrn))).status).toBe(400)
  const end = await stack.withhold(made.id, writer.practiceId)

  const visit = (patient: string) => post('/encounters', { patientId: patient, type: 'office' })
  const [hidden, none] = [await visit(made.id), await visit(randomUUID())]
  expect([hidden.status, masked(hidden.text)]).toEqual([none.status, masked(none.text)])
  expect(hidden.status).toBe(400)
  const other = await post('/patients', person(mrn))
  expect(other.status).toBe(201)
  // Its own request, sent again, leads to nothing.
  const again = await post('/patients', person(mrn), idempotency)
  expect([again.status, again.body.error.message]).toEqual([
    400,
    'Idempotency-Key: was used for a record that is not there any more.',
  ])

  await end()
  expect((await read(made.id)).body).toEqual(made)
  expect((await read(other.body.id)).status).toBe(200)
})

test('requests that run meanwhile get all of it or nothing, in every process', async () => {
  const processes = [stack.rest.app, createApp(stack.services)]
  const ask = async (app: (typeof processes)[number]) => {
    const answer = await app.fetch(
      new Request(`https://elsewhere.example/sandbox/api/v1/patients/${patientId}`, {
        headers: { authorization: `Bearer ${writer.key}` },
      }),
      { incoming: { socket: { remoteAddress: '192.0.2.1' } } },
    )
    return [answer.status, (await answer.text()).length] as const
  }
  /** The load spends the key’s allowance: the clock moves on until there is an answer about the chart. */
  const answered = async (app: (typeof processes)[number]) => {
    let answer = await ask(app)
    while (answer[0] === 429) {
      stack.services.advance(60_000)
      answer = await ask(app)
    }
    return answer
  }
  const whole = (await answered(stack.rest.app))[1]
  let ended = false
  const seen: (readonly [number, number])[] = []
  const load = Promise.all(
    processes.flatMap((app) => [
      (async () => {
        while (!ended && seen.length < 2_000) seen.push(await answered(app))
      })(),
    ]),
  )
  const end = await stack.withhold(patientId, writer.practiceId)
  const after = await Promise.all(processes.map(answered))
  ended = true
  await load

  expect(after.map(([status]) => status)).toEqual([404, 404])
  for (const [status, length] of seen) {
    expect([200, 404]).toContain(status)
    if (status === 200) expect(length).toBe(whole)
  }
  await end()
  expect((await answered(stack.rest.app))[1]).toBe(whole)
})

test('a snapshot, its return and a reset keep who is withheld, and lose nobody', async () => {
  const { practiceData } = stack.services
  const statusOf = async (id: string) => {
    stack.services.advance(60_000)
    return (await read(id)).status
  }
  const endOtis = await stack.withhold(patientId, writer.practiceId)
  await practiceData.snapshot(writer.practiceId)
  const endWren = await stack.withhold('pt-wren-testwell', writer.practiceId)
  await endOtis()
  expect([await statusOf(patientId), await statusOf('pt-wren-testwell')]).toEqual([200, 404])

  await practiceData.restore(writer.practiceId)
  expect([await statusOf(patientId), await statusOf('pt-wren-testwell')]).toEqual([200, 404])
  await practiceData.reset(writer.practiceId)
  expect([await statusOf(patientId), await statusOf('pt-wren-testwell')]).toEqual([200, 404])
  await endWren()
  expect(await statusOf('pt-wren-testwell')).toBe(200)
  const { rows } = await stack.services.pool.query(
    'SELECT count(*)::int AS left FROM clinical.resource r JOIN portal.practice p ON r.dataset_id = -p.dataset_id WHERE p.id = $1',
    [writer.practiceId],
  )
  expect(rows).toEqual([{ left: 0 }])
})

test('a sandbox that reads the shared template gets records of its own first', async () => {
  const { organizationId } = await stack.smart.createOrganization()
  const { slug, id } = await stack.services.sandboxes.ensure(organizationId, { writable: false })
  const { key } = await stack.rest.issueKey({ practice: slug })
  const template = await stack.rest.issueKey({ practice: 'sandbox-template' })

  await stack.withhold(patientId, id)

  expect((await stack.rest.call(`/patients/${patientId}`, { key })).status).toBe(404)
  expect((await stack.rest.call(`/patients/${patientId}`, template)).status).toBe(200)
})

test('moving a chart of a dataset newer than the statistics reads each of its rows a few times only', async () => {
  const { services, rest } = await withheldStack()
  await services.database.ownerPool.query('ANALYZE')
  const { practiceId } = await rest.issueWriter()
  const client = await services.database.ownerPool.connect()
  const one = async (text: string, ...values: unknown[]) => (await client.query(text, values)).rows[0]
  await client.query('BEGIN')
  const { dataset } = await one('SELECT dataset_id AS dataset FROM portal.practice WHERE id = $1', practiceId)
  const { rows } = await one(
    `SELECT (SELECT count(*) FROM clinical.resource WHERE dataset_id = $1)
      + (SELECT count(*) FROM clinical.link WHERE dataset_id = $1) AS rows`,
    dataset,
  )
  const readRows = `SELECT sum(idx_tup_fetch + seq_tup_read) AS read FROM pg_stat_xact_user_tables
    WHERE schemaname = 'clinical'`
  const before = await one(readRows)
  await one('SELECT clinical.move_charts($1, $2, ARRAY[$3])', dataset, -dataset, patientId)
  const after = await one(readRows)
  const moved = await one('SELECT count(*) AS rows FROM clinical.link WHERE dataset_id = $1', -dataset)
  await client.query('ROLLBACK')
  client.release()

  expect(Number(moved.rows)).toBeGreaterThan(100)
  expect(Number(after.read) - Number(before.read)).toBeLessThan(10 * Number(rows))
})

test('an app that the patient let in keeps its token and finds nothing; the patient cannot let in another, until it ends', async () => {
  const person = await personStack()
  const wren = 'pt-wren-testwell'
  const { stack, launch, refresh, publicApp, withSecret, client } = person
  const { body } = await launch()
  const held = await withheldStack({ services: stack.services })
  const fhir = (path: string, token: string) => held.fhir.call(path, { token })
  expect((await fhir(`Patient/${wren}`, body.access_token)).status).toBe(200)
  const code = await stack.obtainCode({ client, scope: standalone, actor: person.wren, patientId: wren })

  const end = await held.withhold(wren)

  expect((await fhir(`Patient/${wren}`, body.access_token)).status).toBe(404)
  expect((await fhir(`Observation?patient=${wren}`, body.access_token)).body.total).toBe(0)
  const pending = await stack.authorize({ client: publicApp, scope: standalone })
  await expect(stack.decide(pending, person.wren, { patientId: wren })).rejects.toMatchObject({
    kind: 'validation',
    field: 'patientId',
  })
  const renewed = await refresh(body.refresh_token)
  expect((await fhir(`Patient/${wren}`, renewed.body.access_token)).status).toBe(404)
  const exchanged = await stack.exchange(code, client, {
    change: { client_id: undefined },
    ...withSecret(),
  })
  expect((await fhir(`Patient/${wren}`, exchanged.body.access_token)).status).toBe(404)

  await end()
  expect((await fhir(`Patient/${wren}`, renewed.body.access_token)).status).toBe(200)
})

test('exports that are served end, and later ones are without the patient', async () => {
  const stack = await bulkStack()
  const { token } = await stack.issueToken({ audience: 'backend' })
  const held = await withheldStack({ services: stack.services })
  const first = await stack.run(token)
  const lines = await stack.lines(first, 'Patient', token)
  expect(lines.join('\n')).toContain(`"id":"${patientId}"`)

  const end = await held.withhold(patientId)

  expect((await stack.call(first.url, { token })).status).toBe(404)
  expect((await stack.call(first.body.output[0].url, { token })).status).toBe(404)
  const second = await stack.run(token)
  for (const { type } of second.body.output) {
    const of = (await stack.lines(second, type, token)).join('\n')
    expect(of, type).not.toContain(patientId)
  }
  expect(await stack.lines(second, 'Patient', token)).toHaveLength(lines.length - 1)
  await end()
  const third = await stack.run(token)
  expect(await stack.lines(third, 'Patient', token)).toHaveLength(lines.length)
})
