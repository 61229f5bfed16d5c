/** What a registration leans on: domains that are proven, and practices that let systems in. */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from '../../../tests/support/mailed.ts'
import { addAccount } from '../../../tests/support/people.ts'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = registrationSupport(() => services)

const services = await registrationServices()

describe('a domain', () => {
  const context = { ip: '203.0.113.9', userAgent: 'vitest', correlationId: randomUUID() }

  test('is confirmed by whoever reads a mailbox there, once, by the newest link alone', async () => {
    const { organizationDomains } = services
    const { organizationId, owner } = await support.makeTeam()
    const mailbox = `Webmaster@${randomUUID()}.example`
    const address = mailbox.toLowerCase()
    await organizationDomains.request({ organizationId, mailbox }, owner.actor)
    const older = await tokenMailedTo(services, address)
    services.advance(1_000)
    await organizationDomains.request({ organizationId, mailbox }, owner.actor)
    const newer = await tokenMailedTo(services, address)

    expect(await kindOfProblem(organizationDomains.confirm(older, context))).toBe('not_found')
    expect(await organizationDomains.find(newer)).toMatchObject({ domain: address.split('@')[1] })
    const answers = await Promise.all(
      [1, 2].map(() => kindOfProblem(organizationDomains.confirm(newer, context))),
    )
    expect(answers.sort()).toEqual(['none', 'not_found'])
    expect(await organizationDomains.list(organizationId, owner)).toMatchObject([
      { domain: address.split('@')[1], verifiedAt: services.clock() },
    ])
  })

  test('of everybody is no proof, and only owners and admins may ask', async () => {
    const { organizationDomains } = services
    const { organizationId, owner } = await support.makeTeam()
    const developer = await support.addMember(organizationId, 'developer')
    const ask = (mailbox: string, by = owner) =>
      kindOfProblem(organizationDomains.request({ organizationId, mailbox }, by.actor))

    expect(await ask('somebody@gmail.com')).toBe('validation')
    expect(await ask('no address')).toBe('validation')
    expect(await ask('info@tidepath.example', developer)).toBe('forbidden')
    expect(await ask('info@tidepath.example', await support.makePerson())).toBe('not_found')
  })
})

test('a practice hears that a backend system asks, and its developers what the practice decided', async () => {
  const { prisma, backendAuthorizations, clients } = services
  const { publicKey } = await generateKeyPair('ES384', { extractable: true })
  const { organizationId, owner } = await support.makeTeam()
  const practice = await prisma.practice.findFirstOrThrow({
    where: { environment: 'production', purpose: 'office', state: 'active', fhirEnabled: true },
  })
  const { client } = await clients.create(
    {
      organizationId,
      environment: 'production',
      audience: 'backend',
      authentication: 'private_key_jwt',
      name: 'Tidepath reports',
      scope: 'system/Patient.rs',
      jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] },
      everyPractice: true,
    },
    null,
  )
  const createdAt = services.clock()
  const admin = await addAccount(services, 'practice', {
    practiceRoles: { create: { practiceId: practice.id, role: 'admin', createdAt } },
  })
  const decider = { ...owner.actor, accountId: admin.id }
  const wanted = { clientId: client.clientId, practiceSlug: practice.slug, scope: 'system/Patient.rs' }
  const asked = await backendAuthorizations.request(
    { ...wanted, purpose: 'Reports of the practice.' },
    owner.actor,
  )
  const { mfa: _, ...passwordOnly } = decider
  const early = backendAuthorizations.grant({ id: asked.id, version: asked.version }, passwordOnly)
  await expect(early).rejects.toMatchObject({ kind: 'forbidden', field: 'stepUp' })
  const granted = await backendAuthorizations.grant({ id: asked.id, version: asked.version }, decider)
  await backendAuthorizations.revoke(
    { id: asked.id, version: granted.version, reason: 'The project is over.' },
    decider,
  )

  expect(await mailsTo(services, admin.email)).toEqual(['system-requested'])
  expect((await mailsTo(services, owner.email)).sort()).toEqual(['system-decided', 'system-revoked'])
})
