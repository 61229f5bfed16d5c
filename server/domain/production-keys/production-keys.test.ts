import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { party, productionKeySupport, reasonWords } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = productionKeySupport(() => services)
const keys = () => services.productionKeys

const services = await registrationServices({ template: 'schema' })

test('a request goes from a draft to a key that one person sees once, and both sides hear of it', async () => {
  const scene = await support.submitted()
  const { requestId, owner, office } = scene
  expect(await support.stateOf(requestId)).toBe('sponsor_invited')
  expect(await support.mailed(office.admin.email)).toEqual(['sponsor-invited'])

  await support.confirm(scene)
  expect(await support.stateOf(requestId)).toBe('sponsor_confirmed')
  await support.signEverything(scene)
  expect(await support.stateOf(requestId)).toBe('baa_executed')
  const rae = await support.makeStaff('reviewer')
  await support.approve(requestId, rae)
  expect(await support.stateOf(requestId)).toBe('ready_to_claim')

  const stale = { ...owner.fresh(), authenticatedAt: new Date(0) }
  expect(await keys().reveal({ requestId }, stale)).toEqual({ kind: 'step_up_needed' })
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      keys()
        .reveal({ requestId }, owner.fresh())
        .catch(() => ({ kind: 'failed' })),
    ),
  )
  expect(answers.filter(({ kind }) => kind === 'revealed')).toHaveLength(1)
  expect(await services.prisma.apiKey.count({ where: { productionRequestId: requestId } })).toBe(1)

  const view = await keys().get(requestId, owner)
  expect(view.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done'])
  expect(view.state).toBe('active')
  const key = await services.prisma.apiKey.findFirstOrThrow({ where: { productionRequestId: requestId } })
  expect(key).toMatchObject({ environment: 'production', practiceId: office.practiceId, suspendedAt: null })
  expect(key.agreementsValidUntil).not.toBeNull()
  for (const email of [owner.email, office.admin.email])
    expect(await support.mailed(email)).toContain('production-revealed')
  const emails = await services.prisma.outboxMail.findMany({ where: { threadId: requestId } })
  expect(JSON.stringify(emails.map(({ props }) => props))).not.toMatch(/svc_/)
}, 120_000)

test('agreements that are signed are not signed twice: a second request goes straight to review', async () => {
  const first = await support.working()

  const second = await support.submitted({ name: 'Second import', dataClasses: ['visits'] }, first)
  await support.confirm(second)

  expect(await support.stateOf(second.requestId)).toBe('baa_executed')
  const [one, two] = [await support.rowOf(first.requestId), await support.rowOf(second.requestId)]
  expect([two.usageAgreementId, two.baaId]).toEqual([one.usageAgreementId, one.baaId])

  const wider = await support.submitted({ name: 'Wider', dataClasses: ['notes'] }, first)
  await support.confirm(wider)
  expect(await support.stateOf(wider.requestId)).toBe('baa_pending')
})

test('what cannot be asked for is said at once: practice unknown or suspended, no admin, no domain, no profile', async () => {
  const { organizationId, owner } = await support.team()
  const office = await support.office()
  const create = (slug: string, changes = {}, by = owner, of = organizationId) =>
    keys().create(
      {
        organizationId: of,
        draft: support.draftFor(slug, owner.accountId, changes),
        idempotencyKey: randomUUID(),
      },
      by.fresh(),
    )

  await expect(create('nobody-here')).rejects.toMatchObject({ field: 'practiceSlug', status: 400 })
  await services.prisma.practice.update({ where: { id: office.practiceId }, data: { state: 'suspended' } })
  await expect(create(office.slug)).rejects.toThrow(/is currently suspended/)
  await services.prisma.practice.update({ where: { id: office.practiceId }, data: { state: 'active' } })
  const admins = { practiceId: office.practiceId, role: 'admin' as const }
  await services.prisma.practiceMembership.deleteMany({ where: admins })
  await expect(create(office.slug)).rejects.toThrow(/no admin on file/)
  const second = await support.office()
  await expect(create(second.slug, { signatoryId: randomUUID() })).rejects.toMatchObject({
    field: 'signatoryId',
  })
  await expect(
    create(second.slug, { justification: `The key is svc_l${'a'.repeat(46)} and it reads visits.` }),
  ).rejects.toMatchObject({ field: 'justification' })
  const developer = await support.addMember(organizationId, 'developer', 'Kim Developer')
  expect(await kindOfProblem(create(second.slug, {}, developer))).toBe('forbidden')
  const bare = await support.person('developer', 'Bo Placeholder')
  const other = await services.organizations.create({ name: 'Without a domain' }, bare.fresh())
  const draft = support.draftFor(second.slug, bare.accountId)
  await expect(
    keys().create({ organizationId: other.id, draft, idempotencyKey: randomUUID() }, bare.fresh()),
  ).rejects.toThrow(/confirm a domain/)
})

test('the same form sent twice makes one draft', async () => {
  const { organizationId, owner } = await support.team()
  const office = await support.office()
  const input = {
    organizationId,
    draft: support.draftFor(office.slug, owner.accountId),
    idempotencyKey: randomUUID(),
  }
  const made = await Promise.all([1, 2, 3].map(() => keys().create(input, owner.fresh())))

  expect(new Set(made.map(({ requestId }) => requestId)).size).toBe(1)
  expect(await services.prisma.productionKeyRequest.count({ where: { organizationId } })).toBe(1)
})

test('a draft without a name is withdrawn', async () => {
  const { organizationId, owner } = await support.team()
  const { slug } = await support.office()
  const draft = support.draftFor(slug, owner.accountId, { name: '' })
  const { requestId } = await keys().create(
    { organizationId, draft, idempotencyKey: randomUUID() },
    owner.fresh(),
  )
  await keys().withdraw(await support.target(requestId), owner.fresh())
  expect(await support.stateOf(requestId)).toBe('withdrawn')
  expect(await support.mailed(owner.email)).toContain('production-withdrawn')
})

test('a practice declines with its reason, or says that it is not them: operations are told, and decide', async () => {
  const declined = await support.submitted()
  await keys().sponsors.decline(
    { ...(await support.target(declined.requestId)), reason: reasonWords },
    declined.office.admin.fresh(),
  )
  expect(await support.stateOf(declined.requestId)).toBe('sponsor_declined')
  expect(await support.mailed(declined.owner.email)).toContain('sponsor-declined')

  const ops = await support.makeStaff('ops')
  const strange = await support.submitted()
  await keys().sponsors.notUs(
    { ...(await support.target(strange.requestId)), reason: reasonWords },
    strange.office.signatory.fresh(),
  )
  expect(await support.stateOf(strange.requestId)).toBe('security_hold')
  expect(await support.mailed(ops.email)).toContain('production-security-hold')
  expect(
    await kindOfProblem(keys().withdraw(await support.target(strange.requestId), strange.owner.fresh())),
  ).toBe('conflict')
  await keys().reviews.endHold(
    { ...(await support.target(strange.requestId)), reason: reasonWords, outcome: 'release' },
    ops.fresh(),
  )
  expect(await support.stateOf(strange.requestId)).toBe('draft')
})

test('full takes two reviewers, neither of whom belongs to either side, and all four facts in force at that moment', async () => {
  const scene = await support.submitted({ level: 'full' })
  await support.confirm(scene)
  await support.signEverything(scene)
  const { requestId, office, organizationId } = scene
  const { reviews } = keys()
  const insider = await support.makeStaff('reviewer')
  const email = `${randomUUID()}@both.example`
  await services.prisma.account.update({ where: { id: insider.accountId }, data: { email } })
  const twin = await support.addMember(organizationId, 'viewer', 'Twin')
  await services.prisma.account.update({ where: { id: twin.accountId }, data: { email } })
  expect(await kindOfProblem(reviews.claim(await support.target(requestId), insider.fresh()))).toBe(
    'forbidden',
  )

  const [rae, kit] = [await support.makeStaff('reviewer'), await support.makeStaff('reviewer')]
  await reviews.claim(await support.target(requestId), rae.fresh())
  expect(await reviews.approve(await support.target(requestId), rae.fresh())).toEqual({ kind: 'first' })
  expect(await support.stateOf(requestId)).toBe('in_review')
  expect(await kindOfProblem(reviews.approve(await support.target(requestId), rae.fresh()))).toBe('forbidden')

  const admin = { practiceId: office.practiceId, accountId: office.admin.accountId, role: 'admin' as const }
  await services.prisma.practiceMembership.delete({ where: { practiceId_accountId_role: admin } })
  await expect(reviews.approve(await support.target(requestId), kit.fresh())).rejects.toThrow(/Sponsorship/)
  await services.prisma.practiceMembership.create({ data: { ...admin, createdAt: services.clock() } })
  expect(await reviews.approve(await support.target(requestId), kit.fresh())).toEqual({ kind: 'approved' })
  expect(await support.stateOf(requestId)).toBe('ready_to_claim')
})

test('a question stops the clock, its answer lets it go on; two reject, and others decide on the appeal', async () => {
  const scene = await support.submitted()
  await support.confirm(scene)
  await support.signEverything(scene)
  const { requestId, owner } = scene
  const { reviews } = keys()
  const [rae, kit, lou] = [
    await support.makeStaff('reviewer'),
    await support.makeStaff('reviewer'),
    await support.makeStaff('reviewer'),
  ]
  await reviews.claim(await support.target(requestId), rae.fresh())
  const items = [{ code: 'security_unclear', text: 'Tell us more about backups, please.' }]
  await reviews.requestInfo({ ...(await support.target(requestId)), items }, rae.fresh())
  const asked = await keys().get(requestId, owner)
  expect(asked.clock?.state).toBe('paused')
  expect(
    await kindOfProblem(
      keys().resubmit({ ...(await support.target(requestId)), answers: [] }, owner.fresh()),
    ),
  ).toBe('validation')
  const answers = asked.items.map(({ id }) => ({ id, text: 'They are encrypted, too.' }))
  await keys().resubmit({ ...(await support.target(requestId)), answers }, owner.fresh())
  expect((await keys().get(requestId, owner)).clock?.state).toBe('running')

  await reviews.claim(await support.target(requestId), kit.fresh())
  const codes = ['not_needed']
  await reviews.proposeRejection(
    { ...(await support.target(requestId)), codes, text: reasonWords },
    kit.fresh(),
  )
  expect(await kindOfProblem(reviews.reject(await support.target(requestId), kit.fresh()))).toBe('forbidden')
  await reviews.reject(await support.target(requestId), rae.fresh())
  expect(await support.stateOf(requestId)).toBe('rejected')
  await keys().appeal({ ...(await support.target(requestId)), text: reasonWords }, owner.fresh())
  expect(await kindOfProblem(reviews.claim(await support.target(requestId), kit.fresh()))).toBe('forbidden')
  await support.approve(requestId, lou)
  expect(await support.stateOf(requestId)).toBe('ready_to_claim')
})

test('a security profile is written once and handed in with every request as it was then', async () => {
  const { requestId, organizationId, owner, office } = await support.submitted()
  const stored = await keys().profiles.get(organizationId, owner)
  if (!stored) throw new Error('no profile')
  const answers = { ...stored.answers, hosting: 'Somewhere else by now, in another region.' }

  await keys().profiles.save({ organizationId, version: stored.version, answers }, owner.fresh())
  const again = keys().profiles.save({ organizationId, version: stored.version, answers }, owner.fresh())

  expect(await kindOfProblem(again)).toBe('conflict')
  const packet = await keys().get(requestId, office.admin)
  expect(packet.profile?.hosting).toBe('Answered in full for hosting.')
  expect(packet.profile?.legalName).toBe(party.legalName)
  expect(packet.history).toMatchObject({ leaks: 0, worksElsewhere: 0 })
})

test('what was sent about each request is what the table lists for its events', async () => {
  for (const { listed, sent } of await support.listedAndSent()) expect(sent).toEqual(listed)
})
