/** A change that asks for less: what was agreed to is cut down to it, and nothing brings the rest back by itself. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  completeForm,
  registrationServices,
  registrationSupport,
} from '../../../tests/support/registrations.ts'
import { narrowGrants } from '../grants/revoke-grant.ts'

const support = registrationSupport(() => services)
const { target, acceptedTerms, reviews } = support

const wide = 'openid fhirUser launch/patient patient/Patient.rs patient/Observation.rs'
const less = 'openid fhirUser launch/patient patient/Patient.rs'

const services = await registrationServices()
const { rae } = await support.makeReviewTeam()
const practiceId = (await services.prisma.practice.findFirstOrThrow({ orderBy: { slug: 'asc' } })).id

async function enabled() {
  const made = await support.makeClaimed(rae, completeForm({ scope: wide }))
  await support.approve(made.registrationId, rae)
  expect(await services.registrations.enable(made.registrationId)).toBe('enabled')
  const { productionClientId } = await services.registrations.get(made.registrationId, made.owner)
  return { ...made, clientId: productionClientId ?? '' }
}

async function grantOf(clientId: string, scope: string, tokens: readonly string[] = []) {
  const now = services.clock()
  const expiresAt = new Date(now.getTime() + 3_600_000)
  const token = (held: string) => ({
    tokenHash: new TextEncoder().encode(randomUUID()),
    scope: held,
    createdAt: now,
    expiresAt,
  })
  const { id } = await services.prisma.grant.create({
    data: {
      clientId,
      practiceId,
      audience: scope.includes('system/') ? 'backend' : 'patient',
      scope,
      createdAt: now,
      refreshTokens: { create: [token(scope)] },
      accessTokens: { create: tokens.map(token) },
    },
  })
  return async () => {
    const row = await services.prisma.grant.findUniqueOrThrow({
      where: { id },
      include: { accessTokens: true, refreshTokens: true },
    })
    return {
      scope: row.scope,
      ended: row.revokeReason,
      refresh: row.refreshTokens.map((each) => each.scope),
      alive: row.accessTokens.filter(({ revokedAt }) => revokedAt === null).map((each) => each.scope),
    }
  }
}

async function change(
  registrationId: string,
  by: { actor: Parameters<typeof services.registrations.requestChange>[1] },
  scope: string,
) {
  const asked = await services.registrations.requestChange(
    {
      ...(await target(registrationId)),
      form: completeForm({ scope }),
      reason: 'The app needs something else.',
      terms: acceptedTerms(),
    },
    by.actor,
  )
  await reviews().claim(await target(asked.registrationId), rae.fresh())
  await support.approve(asked.registrationId, rae)
  return asked.registrationId
}

test('cuts agreements down, stops tokens that say more, and ends what has nothing left', async () => {
  const { registrationId, owner, clientId } = await enabled()
  const both = await grantOf(clientId, wide, [wide, 'patient/Patient.rs'])
  const only = await grantOf(clientId, 'openid patient/Observation.rs', ['patient/Observation.rs'])
  const elsewhere = await grantOf((await enabled()).clientId, wide, [wide])

  const changeId = await change(registrationId, owner, less)
  expect((await both()).scope).toBe(wide)
  expect((await services.registrations.get(changeId, owner)).replaces?.scope).toBe(wide)
  expect(await services.registrations.enable(changeId)).toBe('enabled')

  expect(await both()).toMatchObject({ ended: null, alive: ['patient/Patient.rs'] })
  expect((await both()).scope).not.toContain('Observation')
  expect((await both()).refresh[0]).not.toContain('Observation')
  expect(await only()).toMatchObject({ ended: 'app_changed', alive: [] })
  expect(await elsewhere()).toMatchObject({ scope: wide, ended: null, alive: [wide] })
  expect(
    await services.prisma.auditEvent.findFirst({
      where: { action: 'client.grants_narrowed', subjectId: clientId },
    }),
  ).toMatchObject({ detail: { narrowed: 1, ended: 1, scope: less } })

  // Registered for it again, the app has to ask people again.
  const back = await change(registrationId, owner, wide)
  expect(await services.registrations.enable(back)).toBe('enabled')
  expect((await both()).scope).not.toContain('Observation')
  expect((await both()).refresh[0]).not.toContain('Observation')
})

test('a change that asks for more leaves agreements and tokens as they are; the sandbox has it at once', async () => {
  const { registrationId, owner, clientId } = await enabled()
  const held = await grantOf(clientId, wide, [wide])
  const more = `${wide} patient/Goal.rs`

  const changeId = await change(registrationId, owner, more)
  const { sandboxClientId } = await services.registrations.get(registrationId, owner)
  const scopeOf = async (id: string | null) =>
    (await services.prisma.client.findUniqueOrThrow({ where: { id: id ?? '' } })).scope
  expect(
    [await scopeOf(sandboxClientId), await scopeOf(clientId)].map((scope) => scope.includes('Goal')),
  ).toEqual([true, false])
  expect(await services.registrations.enable(changeId)).toBe('enabled')

  expect(await held()).toMatchObject({ scope: wide, ended: null, alive: [wide] })
})

test('a practice’s word for a backend system is cut down too, or ends and can be asked for again', async () => {
  const { clientId } = await enabled()
  const now = services.clock()
  const scopes = 'system/Patient.rs system/Observation.rs'
  const [part, gone] = [await grantOf(clientId, scopes), await grantOf(clientId, 'system/Observation.rs')]
  const rows = await services.prisma.grant.findMany({ where: { clientId }, orderBy: { id: 'asc' } })
  const practices = await services.prisma.practice.findMany({ take: 2, select: { id: true } })
  for (const [place, grant] of rows.entries())
    await services.prisma.practiceSystemAuthorization.create({
      data: {
        practiceId: practices[place]?.id ?? '',
        clientId,
        state: 'granted',
        scope: grant.scope,
        purpose: 'A nightly report.',
        requestedAt: now,
        grantId: grant.id,
      },
    })

  await services.prisma.$transaction((tx) =>
    narrowGrants(tx, services.portalAudit, { clientId, scope: 'system/Patient.rs', now }),
  )

  expect(await part()).toMatchObject({ scope: 'system/Patient.rs', ended: null })
  expect(await gone()).toMatchObject({ ended: 'app_changed' })
  const left = await services.prisma.practiceSystemAuthorization.findMany({
    where: { clientId },
    orderBy: { id: 'asc' },
    select: { state: true, scope: true },
  })
  expect(left).toEqual([
    { state: 'granted', scope: 'system/Patient.rs' },
    { state: 'revoked', scope: 'system/Observation.rs' },
  ])
  const ended = await services.prisma.practiceSystemAuthorization.findFirstOrThrow({
    where: { clientId, state: 'revoked' },
  })
  const of = { where: { subjectId: ended.id } }
  expect(await services.prisma.workflowEvent.findMany(of)).toMatchObject([
    { event: 'end', from: 'granted', to: 'revoked', actorKind: 'system' },
  ])
  expect(await services.prisma.auditEvent.findMany(of)).toMatchObject([
    { action: 'system_authorization.ended', practiceId: ended.practiceId, detail: { to: 'revoked' } },
  ])
})
