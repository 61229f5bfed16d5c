import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { mailsTo } from '../../../tests/support/mailed.ts'
import {
  completeForm,
  registrationServices,
  registrationSupport,
} from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { firstPage } from '../../contract/portal/paging.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const support = registrationSupport(() => services)
const { target, makeSubmitted, makeDraft, stateOf, acceptedTerms, reviews } = support

const services = await registrationServices()
const { rae, kit, ops } = await support.makeReviewTeam()

const makeClaimed = (form?: ReturnType<typeof completeForm>) => support.makeClaimed(rae, form)
const approve = (registrationId: string, by = rae) => support.approve(registrationId, by)

describe('a registration', () => {
  test('sent twice by one form is one registration with one client, and keeps what the second time says', async () => {
    const { owner, organizationId } = await makeDraft()
    const idempotencyKey = randomUUID()
    const save = (name: string) =>
      services.registrations.saveDraft(
        {
          registrationId: null,
          organizationId,
          form: { ...completeForm(), name },
          version: null,
          idempotencyKey,
        },
        owner.actor,
      )
    const before = await services.prisma.client.count({ where: { organizationId } })

    const first = await save('Tidepath')
    const again = await save('Tidepath')
    const changed = await save('Tidepath Two')
    const both = await Promise.all([save('Tidepath Three'), save('Tidepath Three')])

    const ids = [first, again, changed, ...both].map(({ registrationId }) => registrationId)
    expect(new Set(ids).size).toBe(1)
    expect(await services.prisma.client.count({ where: { organizationId } })).toBe(before + 1)
    expect((await services.registrations.get(first.registrationId, owner)).name).toBe('Tidepath Three')
  })

  test('works in the sandbox from its first save, and in production once it was proven', async () => {
    const made = await makeDraft()
    const { registrationId, owner, sandboxClientId } = made
    expect(sandboxClientId).toMatch(/^sbx-/)
    expect(made.notRegistered).toBeNull()
    const sandbox = await services.prisma.practice.findFirstOrThrow({
      where: { organizationId: made.organizationId },
    })
    expect(sandbox.environment).toBe('sandbox')

    await services.registrations.submit(
      { ...(await target(registrationId)), terms: acceptedTerms() },
      owner.actor,
    )
    const unassigned = { ...firstPage, view: 'unassigned', stage: 'waiting', kind: 'app' } as const
    expect((await services.reviewQueues.read(unassigned, rae)).rows).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: registrationId, name: 'Tidepath Health' })]),
    )
    await reviews().claim(await target(registrationId), rae.fresh())
    await approve(registrationId)
    expect(await stateOf(registrationId)).toBe('enabling')
    expect(await services.registrations.enable(registrationId)).toBe('enabled')
    expect(await services.registrations.enable(registrationId)).toBe('nothing')

    const view = await services.registrations.get(registrationId, owner)
    expect(view).toMatchObject({
      state: 'enabled',
      waitingOn: 'nobody',
      serving: { name: 'Tidepath Health' },
    })
    expect(view.productionClientId).toMatch(/^app-/)
    expect(view.clocks.map(({ kind, state, usedDays }) => [kind, state, usedDays])).toEqual([
      ['promise', 'stopped', 0],
      ['enablement', 'stopped', 0],
      ['authenticity', 'stopped', 0],
    ])
    expect(view.timeline.map(({ event, by }) => `${event} ${by}`)).toContain('approve A reviewer')
    expect(await mailsTo(services, owner.email)).toEqual([
      'registration-received',
      'registration-authenticity',
      'registration-enabled',
    ])
  })

  test('of a backend system is proven by an assertion that fails for its signature alone', async () => {
    const { publicKey } = await generateKeyPair('ES384', { extractable: true })
    const jwks = JSON.stringify({
      keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES384', use: 'sig' }],
    })
    const { registrationId } = await makeClaimed(
      completeForm({
        audience: 'backend',
        clientType: 'private_key_jwt',
        redirectUris: [],
        scope: 'system/Patient.rs',
        jwks,
      }),
    )
    await approve(registrationId)

    expect(await services.registrations.enable(registrationId)).toBe('enabled')
    const { productionClientId } = await services.prisma.registration.findUniqueOrThrow({
      where: { id: registrationId },
    })
    expect(
      await services.prisma.assertionAttempt.count({ where: { clientId: productionClientId ?? '' } }),
    ).toBe(0)
  })

  test('that the authorization server does not accept is tried five times, then operations are told', async () => {
    const { registrationId } = await makeClaimed()
    await approve(registrationId)
    const { prisma, registrations } = services
    await prisma.practice.updateMany({ where: { purpose: 'canary' }, data: { fhirEnabled: false } })
    try {
      for (let attempt = 1; attempt <= 5; attempt++) {
        expect(await registrations.enable(registrationId), `attempt ${attempt}`).toBe('failed')
        expect(await registrations.enable(registrationId)).toBe('nothing')
        services.advance(10 * 60_000)
      }
      expect(await mailsTo(services, ops.email)).toContain('registration-probe-failed')
      expect(
        (await registrations.get(registrationId, await findOwner(registrationId))).probeFailure,
      ).toContain('canary')
    } finally {
      await prisma.practice.updateMany({ where: { purpose: 'canary' }, data: { fhirEnabled: true } })
    }
    await reviews().retry({ ...(await target(registrationId)), reason: 'The canary is back.' }, ops.fresh())
    expect(await registrations.enable(registrationId)).toBe('enabled')
  })

  test('with something missing stays a draft, is told item by item, and its receipt is noted', async () => {
    const { registrationId, owner } = await makeDraft(
      completeForm({ privacyUrl: '', attestAuthority: false }),
    )

    const outcome = await services.registrations.submit(
      { ...(await target(registrationId)), terms: acceptedTerms() },
      owner.actor,
    )

    expect(outcome.kind).toBe('incomplete')
    const view = await services.registrations.get(registrationId, owner)
    expect(view.state).toBe('draft')
    expect(view.clocks.map(({ kind }) => kind)).toEqual(['authenticity'])
    expect(await mailsTo(services, owner.email)).toEqual(['registration-incomplete'])
    const wrongTerms = { version: '0.9', sha256: '0'.repeat(64) }
    expect(
      await kindOfProblem(
        services.registrations.submit({ ...(await target(registrationId)), terms: wrongTerms }, owner.actor),
      ),
    ).toBe('validation')
  })

  test('refuses a secret before anything of it is kept, and says nothing of it', async () => {
    const { organizationId, owner } = await support.makeTeam()
    const secret = `svc_t${'A'.repeat(7)}${'b'.repeat(33)}000000`
    const form = { ...completeForm(), description: `Our key is ${secret}, please use it for the tests.` }
    const saving = services.registrations.saveDraft(
      { registrationId: null, organizationId, form, version: null, idempotencyKey: randomUUID() },
      owner.actor,
    )

    expect(await kindOfProblem(saving)).toBe('validation')
    expect(await services.prisma.registration.count({ where: { organizationId } })).toBe(0)
  })
})

async function findOwner(registrationId: string) {
  const { createdById } = await services.prisma.registration.findUniqueOrThrow({
    where: { id: registrationId },
  })
  return { accountId: createdById }
}

describe('what a reviewer asks for', () => {
  test('stops the promise until every item is answered; asked late, it does not', async () => {
    const { registrationId, owner } = await makeClaimed()
    const ask = async (items: { code: string; text: string }[]) =>
      reviews().requestInfo({ ...(await target(registrationId)), items }, rae.fresh())
    const promise = async () =>
      (await services.registrations.get(registrationId, owner)).clocks.find(({ kind }) => kind === 'promise')
    await ask([
      { code: 'link_broken', text: 'The privacy policy.' },
      { code: 'scope_unexplained', text: 'Why Observation?' },
    ])
    expect(await promise()).toMatchObject({ state: 'paused', remainingDays: 5 })

    const { items } = await services.registrations.get(registrationId, owner)
    const [first, second] = items
    const answer = async (itemId: string) =>
      services.registrations.answer(
        { ...(await target(registrationId)), answers: [{ itemId, text: 'It is mended now.' }] },
        owner.actor,
      )
    await answer(first?.id ?? '')
    expect(
      await kindOfProblem(services.registrations.resubmit(await target(registrationId), owner.actor)),
    ).toBe('validation')
    await answer(second?.id ?? '')
    await services.registrations.resubmit(await target(registrationId), owner.actor)
    expect(await promise()).toMatchObject({ state: 'running' })

    await reviews().claim(await target(registrationId), kit.fresh())
    await reviews().requestInfo(
      {
        ...(await target(registrationId)),
        items: [{ code: 'description_unclear', text: 'For whom is it?' }],
      },
      kit.fresh(),
    )
    expect(await promise()).toMatchObject({ state: 'running' })
    const late = (await services.registrations.get(registrationId, owner)).items.at(-1)
    expect(late).toMatchObject({ visibleEarlier: true, round: 2 })
    expect(await mailsTo(services, owner.email)).toEqual([
      'registration-received',
      'registration-needs-info',
      'registration-resubmitted',
      'registration-needs-info',
    ])
  })

  test('is a code of the published list with words, by whoever has claimed it', async () => {
    const { registrationId } = await makeClaimed()
    const ask = async (items: { code: string; text: string }[], by = rae) =>
      kindOfProblem(reviews().requestInfo({ ...(await target(registrationId)), items }, by.fresh()))

    expect(await ask([])).toBe('validation')
    expect(await ask([{ code: 'because', text: 'I say so.' }])).toBe('validation')
    expect(await ask([{ code: 'toString', text: 'I say so.' }])).toBe('validation')
    expect(await ask([{ code: 'link_broken', text: '' }])).toBe('validation')
    expect(await ask([{ code: 'purpose_unclear', text: 'Not of an app.' }])).toBe('validation')
    expect(await ask([{ code: 'link_broken', text: 'The first one.' }], kit)).toBe('conflict')
    expect(await stateOf(registrationId)).toBe('in_review')
  })

  test('and is not answered is reminded of twice, then withdrawn, and can be opened again', async () => {
    const { registrationId, owner } = await makeClaimed()
    await reviews().requestInfo(
      { ...(await target(registrationId)), items: [{ code: 'link_broken', text: 'The privacy policy.' }] },
      rae.fresh(),
    )
    for (let day = 0; day < 32; day++) {
      services.advance(DAY)
      await services.registrations.tick(services.clock())
    }

    expect(await stateOf(registrationId)).toBe('withdrawn_inactive')
    expect((await mailsTo(services, owner.email)).slice(2)).toEqual([
      'registration-reminder',
      'registration-reminder',
      'registration-inactive',
    ])
    await services.registrations.reopen(await target(registrationId), owner.actor)
    expect(await stateOf(registrationId)).toBe('draft')
  })
})

describe('a decision', () => {
  test('is refused without step-up, without the second step, and to the own organization', async () => {
    const { registrationId, owner } = await makeClaimed()
    const evidence = 'The domain is confirmed.'
    const verify = async (actor: ReturnType<typeof rae.fresh>) =>
      kindOfProblem(reviews().verifyAuthenticity({ ...(await target(registrationId)), evidence }, actor))
    const own = await support.makeStaff('reviewer', owner.email)

    expect(
      await verify({ ...rae.fresh(), authenticatedAt: new Date(services.clock().getTime() - 11 * 60_000) }),
    ).toBe('forbidden')
    const { mfa: _, ...passwordOnly } = rae.fresh()
    expect(await verify(passwordOnly)).toBe('forbidden')
    expect(await verify(own.fresh())).toBe('forbidden')
    expect((await reviews().get(registrationId, own)).conflict).toContain('colleague')
    expect(await verify(ops.fresh())).toBe('conflict')
    expect(await verify(owner.actor)).toBe('conflict')
    expect(await verify(rae.fresh())).toBe('none')
  })

  test('to reject takes two reviewers; an appeal goes to a third, with a clock of its own', async () => {
    const { registrationId, owner } = await makeClaimed()
    const propose = { codes: ['redirect_of_others'], text: 'The address belongs to another company.' }
    await reviews().proposeRejection({ ...(await target(registrationId)), ...propose }, rae.fresh())
    expect(await kindOfProblem(reviews().approve(await target(registrationId), rae.fresh()))).toBe('conflict')
    expect(await kindOfProblem(reviews().reject(await target(registrationId), rae.fresh()))).toBe('forbidden')
    await reviews().reject(await target(registrationId), kit.fresh())
    expect(await stateOf(registrationId)).toBe('rejected')
    expect((await mailsTo(services, owner.email)).at(-1)).toBe('registration-rejected')

    await services.registrations.appeal(
      { ...(await target(registrationId)), text: 'That company is our own.' },
      { ...owner.actor, authenticatedAt: services.clock() },
    )
    for (const earlier of [rae, kit])
      expect(await kindOfProblem(reviews().claim(await target(registrationId), earlier.fresh()))).toBe(
        'forbidden',
      )
    const third = await support.makeStaff('reviewer')
    await reviews().claim(await target(registrationId), third.fresh())
    await approve(registrationId, third)
    expect(await services.registrations.enable(registrationId)).toBe('enabled')
    const view = await services.registrations.get(registrationId, owner)
    expect(view.clocks.filter(({ kind }) => kind === 'promise')).toHaveLength(2)
  })

  test('made twice by the same form is made once; on what has changed since it is a conflict', async () => {
    const { registrationId } = await makeClaimed()
    const sent = { ...(await target(registrationId)), evidence: 'The domain is confirmed.' }
    await Promise.all([1, 2].map(() => reviews().verifyAuthenticity(sent, rae.fresh())))

    expect(
      await services.prisma.registrationEvent.count({
        where: { registrationId, event: 'verify_authenticity' },
      }),
    ).toBe(1)
    const stale = { ...(await target(registrationId)), version: sent.version }
    expect(await kindOfProblem(reviews().approve(stale, rae.fresh()))).toBe('conflict')
  })
})

test('a clock tells the reviewer at 60 percent, all at 80, and operations and the public when it is overdue', async () => {
  await services.prisma.registrationClock.updateMany({
    where: { stoppedAt: null },
    data: { stoppedAt: services.clock(), usedDays: 0 },
  })
  const { registrationId, owner } = await makeClaimed()
  const before = await services.registrations.serviceFigures()
  const emailsTo = async (person: { email: string }) =>
    services.prisma.outboxMail.count({
      where: { toAddress: person.email, template: 'review-escalation', threadId: registrationId },
    })
  const told: string[] = []
  for (let day = 1; day <= 14; day++) {
    services.advance(DAY)
    await services.registrations.tick(services.clock())
    await services.registrations.tick(services.clock())
    told.push(`${await emailsTo(rae)} ${await emailsTo(kit)} ${await emailsTo(ops)}`)
  }
  // 60 percent of the rule is reached on the day on which the promise is overdue.
  expect([...new Set(told)].slice(0, 4)).toEqual(['0 0 0', '1 0 0', '2 1 0', '4 2 1'])
  const after = await services.registrations.serviceFigures()
  expect(after.promiseBreaches - before.promiseBreaches).toBe(1)
  const { timeline } = await services.registrations.get(registrationId, owner)
  expect(timeline.map(({ event }) => event)).toContain('clock_breach')
})

test('the digest leaves once a business day from nine o’clock on', async () => {
  await makeSubmitted()
  const { registrations } = services
  const digests = () =>
    services.prisma.outboxMail.count({ where: { toAddress: rae.email, template: 'review-digest' } })
  expect(await registrations.sendDigest(new Date('2027-01-18T15:00:00Z'))).toBe(0)
  expect(await registrations.sendDigest(new Date('2027-01-19T13:59:00Z'))).toBe(0)
  for (const minute of ['14:00', '14:01', '20:00'])
    await registrations.sendDigest(new Date(`2027-01-19T${minute}:00Z`))

  expect(await digests()).toBe(1)
})

test('strangers see nothing, viewers read, and nobody else’s request is there', async () => {
  const { registrationId, organizationId, owner } = await makeSubmitted()
  const viewer = await support.addMember(organizationId, 'viewer')
  const stranger = await support.makePerson()

  expect(await kindOfProblem(services.registrations.get(registrationId, stranger))).toBe('not_found')
  expect(await kindOfProblem(services.registrations.list(organizationId, stranger))).toBe('not_found')
  expect((await services.registrations.get(registrationId, viewer)).allowed).toEqual([])
  expect(await services.registrations.list(organizationId, viewer)).toHaveLength(1)
  expect(
    await kindOfProblem(services.registrations.withdraw(await target(registrationId), stranger.actor)),
  ).toBe('not_found')
  expect(
    await kindOfProblem(services.registrations.withdraw(await target(registrationId), viewer.actor)),
  ).toBe('conflict')
  await services.registrations.withdraw(await target(registrationId), owner.actor)
  expect(await stateOf(registrationId)).toBe('withdrawn')
})
