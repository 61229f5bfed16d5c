import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from '../../../tests/support/mailed.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import type { OrganizationRole } from '../../contract/organization-roles.ts'
import { isProblem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import { toSlug } from './slug.ts'

const DAY = 86_400_000
let services: TestServices

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
})

type Person = { accountId: string; email: string; actor: Actor }

async function makePerson(
  name = 'Robin Testwell',
  email = `${randomUUID().slice(0, 8)}@samplewood.example`,
): Promise<Person> {
  const now = services.clock()
  const { id } = await services.prisma.account.create({
    data: { realm: 'developer', email, name, passwordHash: 'x', emailVerifiedAt: now, createdAt: now },
  })
  const actor = {
    accountId: id,
    sessionId: randomUUID(),
    authenticatedAt: now,
    ip: '203.0.113.9',
    userAgent: 'vitest',
    correlationId: randomUUID(),
  }
  return { accountId: id, email, actor }
}

async function makeTeam(): Promise<{ organizationId: string; owner: Person }> {
  const owner = await makePerson()
  const { id } = await services.organizations.create({ name: 'Samplewood Health Apps' }, owner.actor)
  return { organizationId: id, owner }
}

async function addMember(organizationId: string, role: OrganizationRole): Promise<Person> {
  const person = await makePerson(`Kim ${role}`)
  const data = { organizationId, accountId: person.accountId, role, createdAt: services.clock() }
  await services.prisma.membership.create({ data })
  return person
}

async function invited(role: OrganizationRole = 'developer') {
  const { organizationId, owner } = await makeTeam()
  const guest = await makePerson('Kim Placeholder')
  const { id } = await services.organizations.invite(
    { organizationId, email: guest.email, role },
    owner.actor,
  )
  return { organizationId, owner, guest, id, token: await tokenMailedTo(services, guest.email) }
}

const problem = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (isProblem(error) ? error.kind : String(error)),
  )

const roleOf = async (organizationId: string, { accountId }: Person) =>
  (await services.organizations.listFor(accountId)).find(({ id }) => id === organizationId)?.role

describe('founding', () => {
  test('makes the founder its owner and gives the name an address of its own', async () => {
    const owner = await makePerson()

    const one = await services.organizations.create({ name: 'Tidewater Apps' }, owner.actor)
    const two = await services.organizations.create({ name: 'Tidewater Apps' }, owner.actor)

    expect([one.slug, two.slug]).toEqual(['tidewater-apps', 'tidewater-apps-2'])
    expect(await services.organizations.listFor(owner.accountId)).toEqual([
      { id: one.id, name: 'Tidewater Apps', slug: 'tidewater-apps', role: 'owner' },
      { id: two.id, name: 'Tidewater Apps', slug: 'tidewater-apps-2', role: 'owner' },
    ])
  })

  test('of one name at the same moment makes organizations of different addresses', async () => {
    const people = await Promise.all([makePerson(), makePerson(), makePerson()])

    const made = await Promise.all(
      people.map(({ actor }) => services.organizations.create({ name: 'Same Time' }, actor)),
    )

    expect(new Set(made.map(({ slug }) => slug)).size).toBe(3)
  })

  test('is bounded per person, also when the forms come at once', async () => {
    const owner = await makePerson()

    const kinds = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        problem(services.organizations.create({ name: `Many ${index}` }, owner.actor)),
      ),
    )

    expect(kinds.filter((kind) => kind === 'none')).toHaveLength(10)
    expect(kinds.filter((kind) => kind === 'conflict')).toHaveLength(2)
  })

  test('is for developers who confirmed their address', async () => {
    const unverified = await makePerson()
    await services.prisma.account.update({
      where: { id: unverified.accountId },
      data: { emailVerifiedAt: null },
    })
    const staff = await makePerson()
    await services.prisma.account.update({ where: { id: staff.accountId }, data: { realm: 'staff' } })

    for (const { actor } of [unverified, staff]) {
      expect(await problem(services.organizations.create({ name: 'Nope' }, actor))).toBe('forbidden')
    }
  })

  test.each([
    ['Samplewood Health Apps, Inc.', 'samplewood-health-apps-inc'],
    ['Zoë & Größe', 'zoe-grosse'],
    ['試験', 'organization'],
    ['new', 'organization-new'],
    ['  --  ', 'organization'],
    ['x'.repeat(80), 'x'.repeat(40)],
  ])('the address of %j is %s', (name, slug) => {
    expect(toSlug(name)).toBe(slug)
  })
})

describe('somebody who is no member', () => {
  test('cannot tell an organization from none', async () => {
    const { organizationId, owner } = await makeTeam()
    const { actor, accountId } = await makePerson()
    const { organizations } = services

    for (const id of [organizationId, randomUUID(), 'not-an-id', '']) {
      expect(await problem(organizations.get({ organizationId: id, accountId }))).toBe('not_found')
      expect(await problem(organizations.rename({ organizationId: id, name: 'Mine' }, actor))).toBe(
        'not_found',
      )
      expect(
        await problem(
          organizations.invite({ organizationId: id, email: 'a@b.example', role: 'viewer' }, actor),
        ),
      ).toBe('not_found')
      expect(await problem(organizations.leave({ organizationId: id }, actor))).toBe('not_found')
      const member = { organizationId: id, memberAccountId: owner.accountId }
      expect(await problem(organizations.removeMember(member, actor))).toBe('not_found')
      expect(await problem(organizations.changeRole({ ...member, role: 'viewer' }, actor))).toBe('not_found')
    }
  })

  test('cannot renew or cancel its invitations', async () => {
    const { id } = await invited()
    const { actor } = await makePerson()

    for (const invitationId of [id, randomUUID(), 'x']) {
      expect(await problem(services.organizations.renewInvitation({ invitationId }, actor))).toBe('not_found')
      expect(await problem(services.organizations.cancelInvitation({ invitationId }, actor))).toBe(
        'not_found',
      )
    }
  })
})

describe('roles', () => {
  test('decide who may rename, invite and manage', async () => {
    const { organizationId } = await makeTeam()
    for (const role of ['developer', 'viewer'] as const) {
      const { actor } = await addMember(organizationId, role)
      expect(await problem(services.organizations.rename({ organizationId, name: 'Mine' }, actor))).toBe(
        'forbidden',
      )
      expect(
        await problem(
          services.organizations.invite({ organizationId, email: 'a@b.example', role: 'viewer' }, actor),
        ),
      ).toBe('forbidden')
    }
    const admin = await addMember(organizationId, 'admin')

    await services.organizations.rename({ organizationId, name: 'Renamed' }, admin.actor)

    expect(await services.organizations.get({ organizationId, accountId: admin.accountId })).toMatchObject({
      name: 'Renamed',
      role: 'admin',
    })
  })

  test('only an owner makes, unmakes, removes or invites owners', async () => {
    const { organizationId, owner } = await makeTeam()
    const admin = await addMember(organizationId, 'admin')
    const { organizations } = services
    const theOwner = { organizationId, memberAccountId: owner.accountId }

    expect(
      await problem(
        organizations.changeRole(
          { organizationId, memberAccountId: admin.accountId, role: 'owner' },
          admin.actor,
        ),
      ),
    ).toBe('forbidden')
    expect(await problem(organizations.changeRole({ ...theOwner, role: 'viewer' }, admin.actor))).toBe(
      'forbidden',
    )
    expect(await problem(organizations.removeMember(theOwner, admin.actor))).toBe('forbidden')
    expect(
      await problem(
        organizations.invite({ organizationId, email: 'a@b.example', role: 'owner' }, admin.actor),
      ),
    ).toBe('forbidden')
    await organizations.changeRole(
      { organizationId, memberAccountId: admin.accountId, role: 'owner' },
      owner.actor,
    )
    expect(await roleOf(organizationId, admin)).toBe('owner')
  })

  test('the last owner stays', async () => {
    const { organizationId, owner } = await makeTeam()
    await addMember(organizationId, 'admin')
    const self = { organizationId, memberAccountId: owner.accountId }

    expect(await problem(services.organizations.leave({ organizationId }, owner.actor))).toBe('conflict')
    expect(await problem(services.organizations.removeMember(self, owner.actor))).toBe('conflict')
    expect(await problem(services.organizations.changeRole({ ...self, role: 'admin' }, owner.actor))).toBe(
      'conflict',
    )
    expect(await roleOf(organizationId, owner)).toBe('owner')
  })

  test('of two owners who leave, step down or are removed at the same moment one stays', async () => {
    for (const move of ['leave', 'step down', 'remove'] as const) {
      const { organizationId, owner } = await makeTeam()
      const second = await addMember(organizationId, 'owner')
      const act = (one: Person, two: Person) => {
        if (move === 'leave') return services.organizations.leave({ organizationId }, one.actor)
        const memberAccountId = move === 'remove' ? two.accountId : one.accountId
        if (move === 'remove')
          return services.organizations.removeMember({ organizationId, memberAccountId }, one.actor)
        return services.organizations.changeRole(
          { organizationId, memberAccountId, role: 'viewer' },
          one.actor,
        )
      }

      const kinds = await Promise.all([problem(act(owner, second)), problem(act(second, owner))])

      expect(
        kinds.filter((kind) => kind === 'none'),
        move,
      ).toHaveLength(1)
      expect(await services.prisma.membership.count({ where: { organizationId, role: 'owner' } }), move).toBe(
        1,
      )
    }
  })

  test('whoever is removed is told, and sees the organization no more', async () => {
    const { organizationId, owner } = await makeTeam()
    const member = await addMember(organizationId, 'developer')

    await services.organizations.removeMember(
      { organizationId, memberAccountId: member.accountId },
      owner.actor,
    )

    expect(await mailsTo(services, member.email)).toEqual(['member-removed'])
    expect(await problem(services.organizations.get({ organizationId, accountId: member.accountId }))).toBe(
      'not_found',
    )
    expect(
      await problem(
        services.organizations.removeMember(
          { organizationId, memberAccountId: member.accountId },
          owner.actor,
        ),
      ),
    ).toBe('not_found')
  })
})

describe('an invitation', () => {
  test('leads over its mail to membership, and whoever invited is told', async () => {
    const { organizationId, owner, guest, token } = await invited()
    expect(await services.organizations.findInvitation(token)).toEqual({
      kind: 'live',
      organizationName: 'Samplewood Health Apps',
      role: 'developer',
      maskedEmail: `${guest.email[0]}…@s….example`,
    })

    expect(await services.organizations.acceptInvitation({ token }, guest.actor)).toEqual({
      kind: 'joined',
      organizationId,
    })

    expect(await roleOf(organizationId, guest)).toBe('developer')
    expect(await services.organizations.findInvitation(token)).toEqual({ kind: 'used' })
    expect(await services.organizations.acceptInvitation({ token }, guest.actor)).toEqual({ kind: 'used' })
    expect(await mailsTo(services, owner.email)).toEqual(['invitation-accepted'])
    const page = await services.organizations.get({ organizationId, accountId: owner.accountId })
    expect(page.members.map(({ email, role }) => [email, role])).toEqual([
      [owner.email, 'owner'],
      [guest.email, 'developer'],
    ])
    expect(page.invitations).toEqual([])
  })

  test('is accepted by its address only', async () => {
    const { guest, token } = await invited()
    const stranger = await makePerson()

    expect(await services.organizations.acceptInvitation({ token }, stranger.actor)).toEqual({
      kind: 'other_account',
      maskedEmail: `${guest.email[0]}…@s….example`,
    })
    expect(await services.organizations.findInvitation(token)).toMatchObject({ kind: 'live' })
  })

  test('accepted twice at the same moment makes one membership', async () => {
    const { organizationId, guest, token } = await invited()
    const accept = () => services.organizations.acceptInvitation({ token }, guest.actor)

    const answers = await Promise.all([accept(), accept()])

    expect(answers.map(({ kind }) => kind).sort()).toEqual(['joined', 'used'])
    expect(await roleOf(organizationId, guest)).toBe('developer')
  })

  test('sent to one address twice at the same moment is one invitation', async () => {
    const { organizationId, owner } = await makeTeam()
    const email = `${randomUUID().slice(0, 8)}@samplewood.example`
    const invite = (spelling: string) =>
      problem(services.organizations.invite({ organizationId, email: spelling, role: 'viewer' }, owner.actor))

    expect((await Promise.all([invite(email), invite(email.toUpperCase())])).sort()).toEqual([
      'conflict',
      'none',
    ])
    expect(await mailsTo(services, email)).toEqual(['invitation'])
  })

  test('to a member is refused', async () => {
    const { organizationId, owner } = await makeTeam()
    const member = await addMember(organizationId, 'viewer')

    expect(
      await problem(
        services.organizations.invite({ organizationId, email: member.email, role: 'admin' }, owner.actor),
      ),
    ).toBe('conflict')
  })

  test('lapses after seven days, is noted once, and renewed lives seven more', async () => {
    const { organizationId, owner, guest, id, token } = await invited()
    services.advance(7 * DAY - 1)
    expect(await services.organizations.findInvitation(token)).toMatchObject({ kind: 'live' })

    services.advance(1)
    expect(await services.organizations.findInvitation(token)).toEqual({ kind: 'expired' })
    expect(await services.organizations.acceptInvitation({ token }, guest.actor)).toEqual({ kind: 'expired' })
    expect(await services.organizations.expireInvitations(services.clock())).toBeGreaterThan(0)
    expect(await services.organizations.expireInvitations(services.clock())).toBe(0)
    expect(await mailsTo(services, owner.email)).toEqual(['invitation-expired'])
    const page = await services.organizations.get({ organizationId, accountId: owner.accountId })
    expect(page.invitations).toMatchObject([
      { id, state: 'expired', email: guest.email, invitedBy: 'Robin Testwell' },
    ])

    await services.organizations.renewInvitation({ invitationId: id }, owner.actor)
    const renewed = await tokenMailedTo(services, guest.email)
    services.advance(7 * DAY - 1)
    expect(await services.organizations.findInvitation(token)).toEqual({ kind: 'expired' })
    expect(await services.organizations.acceptInvitation({ token: renewed }, guest.actor)).toMatchObject({
      kind: 'joined',
    })
  })

  test('withdrawn is worth nothing, is told, and cannot be renewed or withdrawn again', async () => {
    const { owner, guest, id, token } = await invited()

    await services.organizations.cancelInvitation({ invitationId: id }, owner.actor)

    expect(await services.organizations.findInvitation(token)).toEqual({ kind: 'cancelled' })
    expect(await services.organizations.acceptInvitation({ token }, guest.actor)).toEqual({
      kind: 'cancelled',
    })
    expect(await problem(services.organizations.cancelInvitation({ invitationId: id }, owner.actor))).toBe(
      'conflict',
    )
    expect(await problem(services.organizations.renewInvitation({ invitationId: id }, owner.actor))).toBe(
      'conflict',
    )
    expect(await mailsTo(services, guest.email)).toEqual(['invitation', 'invitation-cancelled'])
  })

  test('accepted and withdrawn at the same moment has one outcome', async () => {
    const { organizationId, owner, guest, id, token } = await invited()

    const [answer, cancelled] = await Promise.all([
      services.organizations.acceptInvitation({ token }, guest.actor),
      problem(services.organizations.cancelInvitation({ invitationId: id }, owner.actor)),
    ])

    const joined = answer.kind === 'joined'
    expect(cancelled).toBe(joined ? 'conflict' : 'none')
    expect(await roleOf(organizationId, guest)).toBe(joined ? 'developer' : undefined)
  })

  test('does not change the role of somebody who joined another way', async () => {
    const { organizationId, guest, token } = await invited('viewer')
    await services.prisma.membership.create({
      data: { organizationId, accountId: guest.accountId, role: 'admin', createdAt: services.clock() },
    })

    expect(await services.organizations.acceptInvitation({ token }, guest.actor)).toMatchObject({
      kind: 'joined',
    })
    expect(await roleOf(organizationId, guest)).toBe('admin')
  })

  test('is bounded: nobody sends mail to the whole town', async () => {
    const { organizationId, owner } = await makeTeam()
    const kinds: string[] = []
    for (let number = 0; number < 31; number++) {
      kinds.push(
        await problem(
          services.organizations.invite(
            { organizationId, email: `town-${number}@samplewood.example`, role: 'viewer' },
            owner.actor,
          ),
        ),
      )
    }

    expect(kinds.filter((kind) => kind === 'none')).toHaveLength(30)
    expect(kinds.at(-1)).toBe('rate_limited')
  })
})

test('every change leaves one audit row with who, where and what', async () => {
  const { organizationId, owner, guest, token } = await invited()
  await services.organizations.acceptInvitation({ token }, guest.actor)
  await services.organizations.changeRole(
    { organizationId, memberAccountId: guest.accountId, role: 'viewer' },
    owner.actor,
  )
  await services.organizations.leave({ organizationId }, guest.actor)

  const rows = await services.prisma.auditEvent.findMany({
    where: { organizationId },
    orderBy: { id: 'asc' },
  })

  expect(rows.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['organization.created', owner.accountId],
    ['invitation.sent', owner.accountId],
    ['invitation.accepted', guest.accountId],
    ['member.role_changed', owner.accountId],
    ['member.left', guest.accountId],
  ])
  expect(rows.every(({ ip, correlationId }) => ip === '203.0.113.9' && correlationId)).toBe(true)
})
