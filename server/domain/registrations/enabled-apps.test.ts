/** What may happen to an app after it was enabled. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mailsTo } from '../../../tests/support/mailed.ts'
import {
  completeForm,
  registrationServices,
  registrationSupport,
} from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = registrationSupport(() => services)
const { target, acceptedTerms, reviews } = support

const services = await registrationServices()
const { rae, ops } = await support.makeReviewTeam()

describe('an enabled app', () => {
  async function enabled() {
    const made = await support.makeClaimed(rae)
    await support.approve(made.registrationId, rae)
    expect(await services.registrations.enable(made.registrationId)).toBe('enabled')
    return made
  }

  test('has its name, website and logo reviewed before people see another', async () => {
    const { registrationId, owner } = await enabled()
    for (const change of [
      { name: 'Tidepath Records' },
      { website: 'https://tidepath.example/new' },
      { logo: 'a'.repeat(64) },
    ]) {
      const changed = services.registrations.changeDetails(
        { ...(await target(registrationId)), form: completeForm(change) },
        { ...owner.actor, authenticatedAt: services.clock() },
      )
      expect(await kindOfProblem(changed), JSON.stringify(change)).toBe('validation')
    }
    const row = await services.prisma.client.findFirstOrThrow({
      where: { appId: registrationId, environment: 'production' },
    })
    expect(row.name).toBe(completeForm().name)
  })

  test('changes its texts at once, and its addresses by a request while the old ones serve', async () => {
    const { registrationId, owner } = await enabled()
    const actor = { ...owner.actor, authenticatedAt: services.clock() }
    const described = completeForm({
      description: 'Shows people their lab results, and nothing else at all.',
    })
    await services.registrations.changeDetails({ ...(await target(registrationId)), form: described }, actor)
    const moved = { ...described, redirectUris: ['https://app.tidepath.example/new'] }
    expect(
      await kindOfProblem(
        services.registrations.changeDetails({ ...(await target(registrationId)), form: moved }, actor),
      ),
    ).toBe('validation')

    const asked = {
      ...(await target(registrationId)),
      form: moved,
      reason: 'We moved our callback.',
      terms: acceptedTerms(),
    }
    const change = await services.registrations.requestChange(asked, actor)
    expect(await services.registrations.requestChange(asked, actor)).toEqual(change)
    expect(
      await kindOfProblem(
        services.registrations.requestChange({ ...asked, ...(await target(registrationId)) }, actor),
      ),
    ).toBe('conflict')
    const { productionClientId } = await services.registrations.get(registrationId, owner)
    const addresses = async () =>
      (await services.prisma.client.findUniqueOrThrow({ where: { id: productionClientId ?? '' } }))
        .redirectUris
    expect(await addresses()).toEqual(['https://app.tidepath.example/callback'])

    await reviews().claim(await target(change.registrationId), rae.fresh())
    await support.approve(change.registrationId, rae)
    expect(await services.registrations.enable(change.registrationId)).toBe('enabled')
    expect(await addresses()).toEqual(['https://app.tidepath.example/new'])
    expect(await services.registrations.get(registrationId, owner)).toMatchObject({
      state: 'enabled',
      openChangeId: null,
      serving: { redirectUris: ['https://app.tidepath.example/new'] },
    })
  })

  test('tells people who are asked for consent its privacy policy, and the day of its last review', async () => {
    const { registrationId, owner } = await enabled()
    const { registrations } = services
    const { sandboxClientId, productionClientId } = await registrations.get(registrationId, owner)
    const [sandbox, production] = [sandboxClientId ?? '', productionClientId ?? '']
    const approvedAt = async (id: string) =>
      (
        await services.prisma.registrationEvent.findFirstOrThrow({
          where: { registrationId: id, event: 'approve' },
        })
      ).at
    const first = await approvedAt(registrationId)
    const { privacyUrl } = completeForm()
    expect(await registrations.consentFacts(production)).toEqual({ privacyUrl, reviewedAt: first })
    expect(await registrations.consentFacts(sandbox)).toEqual({ privacyUrl, reviewedAt: null })
    expect(await registrations.consentFacts('sandpiper-example')).toEqual({
      privacyUrl: null,
      reviewedAt: null,
    })

    // What is only requested is neither shown nor reviewed.
    const actor = { ...owner.actor, authenticatedAt: services.clock() }
    const form = completeForm({ redirectUris: ['https://app.tidepath.example/new'] })
    const asked = {
      ...(await target(registrationId)),
      form,
      reason: 'We moved our callback.',
      terms: acceptedTerms(),
    }
    const change = await registrations.requestChange(asked, actor)
    expect((await registrations.consentFacts(production)).reviewedAt).toEqual(first)
    services.advance(86_400_000)
    await reviews().claim(await target(change.registrationId), rae.fresh())
    await support.approve(change.registrationId, rae)
    expect((await registrations.consentFacts(production)).reviewedAt).toEqual(first)
    expect(await registrations.enable(change.registrationId)).toBe('enabled')
    expect((await registrations.consentFacts(production)).reviewedAt).toEqual(
      await approvedAt(change.registrationId),
    )
  })

  test('is suspended and reinstated by operations, with a reason; its client with it', async () => {
    const { registrationId, owner } = await enabled()
    const reason = 'The callback was taken over.'
    await reviews().suspend(
      { ...(await target(registrationId)), reason, evidence: 'A report by mail.' },
      ops.fresh(),
    )
    const { productionClientId } = await services.registrations.get(registrationId, owner)
    const client = () => services.prisma.client.findUniqueOrThrow({ where: { id: productionClientId ?? '' } })
    expect((await client()).suspendedAt).not.toBeNull()
    await reviews().reinstate(
      { ...(await target(registrationId)), reason: 'It is theirs again.' },
      ops.fresh(),
    )
    expect((await client()).suspendedAt).toBeNull()
    await reviews().suspend(
      { ...(await target(registrationId)), reason, evidence: 'A report by mail.' },
      ops.fresh(),
    )
    await reviews().retire({ ...(await target(registrationId)), reason: 'They asked for it.' }, ops.fresh())
    expect((await client()).removedAt).not.toBeNull()
    const told = (await mailsTo(services, owner.email)).filter((name) =>
      /suspended|reinst|retired/.test(name),
    )
    expect(told.sort()).toEqual([
      'registration-reinstated',
      'registration-retired',
      'registration-suspended',
      'registration-suspended',
    ])
  })

  test('gets higher limits on the same engine, by a reviewer, with the row they change', async () => {
    const { registrationId, owner, organizationId } = await enabled()
    const { productionClientId } = await services.registrations.get(registrationId, owner)
    const input = {
      kind: 'limits',
      organizationId,
      subjectId: productionClientId ?? '',
      reason: 'A nightly import of every chart.',
      requested: { burst: 200, sustained: 9_000 },
      idempotencyKey: randomUUID(),
    } as const
    const [request] = await Promise.all(
      [1, 2].map(() => services.registrations.requestOther(input, owner.actor)),
    )
    const id = request?.registrationId ?? ''
    await reviews().claim(await target(id), rae.fresh())
    await reviews().validateConfiguration({ ...(await target(id)), checked: ['purpose'] }, rae.fresh())
    await reviews().approve(await target(id), rae.fresh())
    expect(await services.registrations.enable(id)).toBe('enabled')
    expect(
      await services.prisma.clientLimit.findUnique({ where: { clientId: input.subjectId } }),
    ).toMatchObject({
      burst: 200,
      sustained: 9_000,
      reason: input.reason,
    })
    expect(await services.prisma.registration.count({ where: { subjectId: input.subjectId } })).toBe(1)
  })
})

test('a key gets higher limits and a longer term on the same engine, and nobody asks for another’s', async () => {
  const team = await support.makeTeam()
  const practice = await services.sandboxes.ensure(team.organizationId, { writable: false })
  const now = services.clock()
  const made = await services.prisma.apiKey.create({
    data: {
      prefix: `svc_t${randomUUID().replaceAll('-', '').slice(0, 7)}`,
      secretHash: new TextEncoder().encode(randomUUID()),
      name: 'Nightly import',
      environment: 'sandbox',
      level: 'read_only',
      organizationId: team.organizationId,
      practiceId: practice.id,
      createdById: team.owner.accountId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 10 * 86_400_000),
    },
  })
  const asked = { organizationId: team.organizationId, subjectId: made.id, reason: 'A nightly import.' }
  const ask = (
    kind: 'limits' | 'key_term',
    requested: { burst: number; sustained: number } | { days: number },
  ) =>
    services.registrations.requestOther(
      { ...asked, kind, requested, idempotencyKey: randomUUID() },
      team.owner.actor,
    )
  expect(await kindOfProblem(ask('limits', { burst: 401, sustained: 1 }))).toBe('validation')
  expect(await kindOfProblem(ask('key_term', { days: 366 }))).toBe('validation')
  const stranger = await support.makeTeam()
  const theirs = {
    ...asked,
    organizationId: stranger.organizationId,
    kind: 'key_term',
    requested: { days: 9 },
  } as const
  const foreign = services.registrations.requestOther(
    { ...theirs, idempotencyKey: randomUUID() },
    stranger.owner.actor,
  )
  expect(await kindOfProblem(foreign)).toBe('not_found')

  for (const { registrationId: id } of [
    await ask('limits', { burst: 300, sustained: 9_000 }),
    await ask('key_term', { days: 200 }),
  ]) {
    await reviews().claim(await target(id), rae.fresh())
    await reviews().validateConfiguration({ ...(await target(id)), checked: ['purpose'] }, rae.fresh())
    await reviews().approve(await target(id), rae.fresh())
    expect(await services.registrations.enable(id)).toBe('enabled')
  }
  const grant = await services.prisma.keyLimitGrant.findFirstOrThrow({ where: { keyId: made.id } })
  expect(grant).toMatchObject({ burst: 300, sustained: 9_000, grantedById: rae.accountId, endedAt: null })
  const key = await services.prisma.apiKey.findUniqueOrThrow({ where: { id: made.id } })
  expect(key.expiresAt.getTime() - now.getTime()).toBeGreaterThanOrEqual(200 * 86_400_000)
})
