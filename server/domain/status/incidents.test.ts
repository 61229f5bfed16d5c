import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { addAccount, signedIn } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { componentIds } from '../../contract/status/components.ts'

const services = await testServices({ template: 'schema' })
const opsId = (await addAccount(services, 'staff', { staffRole: 'ops', name: 'Oakley Sample' })).id
const reviewerId = (await addAccount(services, 'staff', { staffRole: 'reviewer' })).id

beforeEach(async () => {
  services.advance(600_000)
  await services.prisma.incident.updateMany({ data: { endedAt: services.clock(), stage: 'resolved' } })
  await services.status.saveChecks(
    componentIds.map((name) => ({ name, state: 'operational', summary: 'It responds.' })),
    services.clock(),
  )
})

const actor = (accountId = opsId) => signedIn(() => services, accountId)()

const reason = 'Two practices have called.'
const good = () => ({
  id: randomUUID(),
  kind: 'incident' as const,
  title: 'Searches are slow',
  text: 'We look into it.',
  components: { fhir: 'degraded', api: 'as_checked' } as const,
  reason,
})
const inHours = (hours: number) => new Date(services.clock().getTime() + hours * 3_600_000)

async function published() {
  const { overall, services: rows } = await services.status.platform()
  return { overall, ...Object.fromEntries(rows.map((row) => [row.id, row])) } as Record<string, unknown>
}

test('while it is open it sets what is published of its components, and what the checks find stands beside it', async () => {
  const { status } = services
  const { id } = await status.openIncident(good(), actor())

  expect(await published()).toMatchObject({
    overall: 'degraded',
    fhir: {
      status: 'degraded',
      summary: 'Searches are slow.',
      overridden: true,
      automaticStatus: 'operational',
    },
    api: { status: 'operational' },
  })
  expect((await published()).api).not.toHaveProperty('overridden')
  await status.updateIncident(
    { ...good(), id, version: 1, stage: 'identified', components: { fhir: 'major_outage' } },
    actor(),
  )
  expect(await published()).toMatchObject({ overall: 'major_outage', fhir: { status: 'major_outage' } })
  await status.updateIncident({ ...good(), id, version: 2, stage: 'resolved', text: 'It is over.' }, actor())

  expect(await published()).toMatchObject({ overall: 'operational', fhir: { status: 'operational' } })
  const changes = await services.prisma.statusChange.findMany({
    where: { component: 'fhir' },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  })
  expect(changes.slice(-3).map(({ toState, cause }) => [toState, cause])).toEqual([
    ['degraded', 'incident'],
    ['major_outage', 'incident'],
    ['operational', 'incident'],
  ])
  const {
    past: { rows: past },
  } = await status.listIncidents(actor())
  expect(past[0]).toMatchObject({ id, stage: 'resolved', endedAt: services.clock() })
  expect(past[0]?.updates.map(({ stage }) => stage).toSorted()).toEqual([
    'identified',
    'investigating',
    'resolved',
  ])
})

test('it can say that a component works although its check fails', async () => {
  const broken = { name: 'mcp', state: 'down', summary: 'No response.' } as const
  for (let round = 0; round < 2; round++) {
    services.advance(60_000)
    await services.status.saveChecks([broken], services.clock())
  }
  expect(await published()).toMatchObject({ mcp: { status: 'down' } })
  await services.status.openIncident({ ...good(), components: { mcp: 'operational' } }, actor())
  expect(await published()).toMatchObject({
    overall: 'operational',
    mcp: { status: 'operational', overridden: true, automaticStatus: 'down' },
  })
})

test('a check that fails opens none', async () => {
  const { status } = services
  for (const _ of [1, 2]) {
    services.advance(30_000)
    await status.saveChecks([{ name: 'mcp', state: 'down', summary: 'No answer.' }], services.clock())
  }
  expect((await status.listIncidents(actor())).open.rows).toEqual([])
  await status.openIncident({ ...good(), components: { mcp: 'partial_outage' } }, actor())
  expect(await published()).toMatchObject({ mcp: { status: 'partial_outage', automaticStatus: 'down' } })
})

test('maintenance begins at the hour that was announced, sets its states from then on, and ends by hand', async () => {
  const { status, clock } = services
  const planned = { ...good(), kind: 'maintenance' as const, startsAt: inHours(1), endsAt: inHours(2) }
  const { id } = await status.openIncident({ ...planned, components: { ai: 'under_maintenance' } }, actor())
  await status.beginDueMaintenance(clock())
  expect(await published()).toMatchObject({ ai: { status: 'operational' } })
  services.advance(3_600_000)
  await Promise.all([status.beginDueMaintenance(clock()), status.beginDueMaintenance(clock())])

  expect(await published()).toMatchObject({ ai: { status: 'under_maintenance' }, overall: 'degraded' })
  const begun = await status.getIncident(id, actor())
  expect(begun.updates).toHaveLength(2)
  expect(begun).toMatchObject({ stage: 'in_progress', version: 2 })
  expect(Object.values(begun.authors).toSorted()).toEqual(['Oakley Sample', 'The platform'])
  const back = {
    id,
    version: 2,
    stage: 'scheduled',
    text: 'Not yet.',
    reason,
    components: planned.components,
  }
  expect(await kindOfProblem(status.updateIncident(back, actor()))).toBe('validation')
  const end = { id, version: 2, stage: 'completed', text: 'Done.', reason, components: planned.components }
  await status.updateIncident(end, actor())
  expect(await published()).not.toMatchObject({ ai: { status: 'under_maintenance' } })
})

test('the same form sent twice opens one, and of two people who have seen the same one is heard', async () => {
  const { status, prisma } = services
  const form = good()
  await Promise.all([status.openIncident(form, actor()), status.openIncident(form, actor())])
  expect(await prisma.incidentUpdate.count({ where: { incidentId: form.id } })).toBe(1)

  const next = { ...form, version: 1, stage: 'identified' }
  const both = [status.updateIncident(next, actor()), status.updateIncident(next, actor())]

  expect((await Promise.all(both.map(kindOfProblem))).toSorted()).toEqual(['conflict', 'none'])
  expect(await prisma.incidentUpdate.count({ where: { incidentId: form.id } })).toBe(2)
})

test('what is edited is kept, and a post-mortem is written when it is over', async () => {
  const { status, prisma } = services
  const { id } = await status.openIncident(good(), actor())
  const [update] = (await status.getIncident(id, actor())).updates
  const edit = { id, version: 1, update: update?.id ?? '', text: 'We are looking into it.', reason }
  await status.editIncidentUpdate(edit, actor())
  const early = { id, version: 2, text: '## What happened', reason }
  expect(await kindOfProblem(status.writePostMortem(early, actor()))).toBe('conflict')
  await status.updateIncident({ ...good(), id, version: 2, stage: 'resolved' }, actor())
  await status.writePostMortem({ ...early, version: 3 }, actor())
  await status.writePostMortem({ id, version: 4, text: '## What we do', reason }, actor())

  const found = await status.getIncident(id, actor())
  expect(found.updates.at(-1)).toMatchObject({
    text: 'We are looking into it.',
    editedAt: services.clock(),
  })
  expect(found.postMortem).toBe('## What we do')
  expect(found.revisions.map(({ text }) => text).toSorted()).toEqual(['## What happened', 'We look into it.'])
  const audit = await prisma.auditEvent.findMany({
    where: { subjectId: id },
    orderBy: { id: 'asc' },
  })
  expect(audit.map(({ action }) => action)).toEqual([
    'incident.opened',
    'incident.update_edited',
    'incident.updated',
    'incident.post_mortem_written',
    'incident.post_mortem_written',
  ])
  for (const { detail } of audit) expect(detail).toMatchObject({ reason })
  const again = { ...good(), id, version: 5, stage: 'investigating' }
  expect(await kindOfProblem(status.updateIncident(again, actor()))).toBe('conflict')
})

test('operations alone, with both proofs, and only what can be meant', async () => {
  const { status, prisma } = services
  const before = await prisma.incident.count()
  const kind = (input: object, who = actor()) =>
    kindOfProblem(status.openIncident({ ...good(), ...input }, who))
  const longAgo = new Date(services.clock().getTime() - 601_000)

  expect(await kind({}, actor(reviewerId))).toBe('forbidden')
  expect(await kind({}, { ...actor(), authenticatedAt: longAgo })).toBe('forbidden')
  expect(await kind({}, { ...actor(), mfa: longAgo })).toBe('forbidden')
  const planned = { kind: 'maintenance', startsAt: inHours(2), endsAt: inHours(3) }
  for (const bad of [
    { title: ' ' },
    { title: 'x'.repeat(121) },
    { text: 'two\nlines' },
    { text: `svc_t${'a'.repeat(46)}` },
    { reason: 'short' },
    { components: {} },
    { components: { toString: 'degraded' } },
    { components: { api: 'disabled' } },
    { startsAt: inHours(1) },
    { startsAt: inHours(-24 * 91) },
    { ...planned, endsAt: undefined },
    { ...planned, endsAt: inHours(1) },
    { ...planned, startsAt: inHours(24 * 91), endsAt: inHours(24 * 92) },
  ])
    expect(await kind(bad), JSON.stringify(bad)).toBe('validation')
  expect(await prisma.incident.count()).toBe(before)
  expect(await kindOfProblem(status.getIncident('no-such-id', actor()))).toBe('not_found')
  expect(await kindOfProblem(status.getIncident(randomUUID(), actor(reviewerId)))).toBe('forbidden')
  const none = { ...good(), id: 'no-such-id', version: 1, stage: 'identified' }
  expect(await kindOfProblem(status.updateIncident(none, actor()))).toBe('not_found')
})
