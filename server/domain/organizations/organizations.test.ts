import { describe, expect, test } from 'vitest'
import { mailsTo } from '../../../tests/support/mailed.ts'
import { addPractice } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams, type Person } from '../../../tests/support/team.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { toSlug } from './profile.ts'

const { makePerson, makeTeam, addMember, roleOf } = createTeams(() => services)

const services = await testServices({ template: 'schema' })

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
        kindOfProblem(services.organizations.create({ name: `Many ${index}` }, owner.actor)),
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
      expect(await kindOfProblem(services.organizations.create({ name: 'Nope' }, actor))).toBe('forbidden')
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

describe('roles', () => {
  test('a new name needs a fresh sign-in, is no message, and is told to the practices it reaches', async () => {
    const { organizationId, owner } = await makeTeam()
    const { organizations, prisma, clock } = services
    const rename = (name: string, actor = owner.actor) =>
      organizations.rename({ organizationId, name }, actor)
    const stale = { ...owner.actor, authenticatedAt: new Date(clock().getTime() - 11 * 60_000) }
    expect(await kindOfProblem(rename('Samplewood Care', stale))).toBe('forbidden')
    expect(await kindOfProblem(rename('Security alert: confirm at evil.example'))).toBe('validation')
    const practices = await Promise.all(
      ['reached', 'other'].map(async (slug) => {
        const practice = await addPractice(services, {
          slug: `${slug}-${organizationId.slice(0, 8)}`,
          name: 'Fennmoor Family Practice',
        })
        const admin = await makePerson('Theo Placeholder')
        await prisma.practiceMembership.create({
          data: { practiceId: practice.id, accountId: admin.accountId, role: 'admin', createdAt: clock() },
        })
        return { ...practice, admin }
      }),
    )
    await prisma.agreement.create({
      data: {
        kind: 'baa',
        organizationId,
        practiceId: practices[0]?.id ?? null,
        state: 'executed',
        createdAt: clock(),
        activeAt: clock(),
      },
    })

    await rename('Samplewood Care')
    await rename('Samplewood Care')

    const mails = await prisma.outboxMail.findMany({ where: { template: 'organization-renamed' } })
    expect(mails).toMatchObject([
      {
        toAddress: practices[0]?.admin.email,
        props: {
          formerName: 'Samplewood Health Apps',
          organizationName: 'Samplewood Care',
          by: 'Robin Testwell',
          practiceName: 'Fennmoor Family Practice',
        },
      },
    ])
  })

  test('decide who may rename, invite and manage', async () => {
    const { organizationId } = await makeTeam()
    for (const role of ['developer', 'viewer'] as const) {
      const { actor } = await addMember(organizationId, role)
      expect(
        await kindOfProblem(services.organizations.rename({ organizationId, name: 'Mine' }, actor)),
      ).toBe('forbidden')
      expect(
        await kindOfProblem(
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
      await kindOfProblem(
        organizations.changeRole(
          { organizationId, memberAccountId: admin.accountId, role: 'owner' },
          admin.actor,
        ),
      ),
    ).toBe('forbidden')
    expect(await kindOfProblem(organizations.changeRole({ ...theOwner, role: 'viewer' }, admin.actor))).toBe(
      'forbidden',
    )
    expect(await kindOfProblem(organizations.removeMember(theOwner, admin.actor))).toBe('forbidden')
    expect(
      await kindOfProblem(
        organizations.invite({ organizationId, email: 'a@b.example', role: 'owner' }, admin.actor),
      ),
    ).toBe('forbidden')
    await organizations.changeRole(
      { organizationId, memberAccountId: admin.accountId, role: 'owner' },
      owner.actor,
    )
    expect(await roleOf(organizationId, admin)).toBe('owner')
  })

  test('who governs is changed with a fresh password and a fresh second step alone', async () => {
    const { organizationId, owner } = await makeTeam()
    const member = await addMember(organizationId, 'developer')
    const { organizations } = services
    const of = { organizationId, memberAccountId: member.accountId }
    const { mfa: _, ...passwordOnly } = owner.actor
    const old = new Date(services.clock().getTime() - 11 * 60_000)
    const invite = (role: 'admin' | 'viewer', email: string, by: typeof passwordOnly) =>
      kindOfProblem(organizations.invite({ organizationId, email, role }, by))

    for (const by of [passwordOnly, { ...owner.actor, mfa: old }]) {
      expect(await kindOfProblem(organizations.changeRole({ ...of, role: 'admin' }, by))).toBe('forbidden')
      expect(await kindOfProblem(organizations.removeMember(of, by))).toBe('forbidden')
      expect(await invite('admin', 'a@b.example', by)).toBe('forbidden')
    }
    expect(await invite('viewer', 'c@d.example', passwordOnly)).toBe('none')
    expect(await roleOf(organizationId, member)).toBe('developer')
    const { mfa: _own, ...self } = member.actor
    await organizations.leave({ organizationId }, self)
    expect(await roleOf(organizationId, member)).toBeUndefined()
  })

  test('the last owner stays', async () => {
    const { organizationId, owner } = await makeTeam()
    await addMember(organizationId, 'admin')
    const self = { organizationId, memberAccountId: owner.accountId }

    expect(await kindOfProblem(services.organizations.leave({ organizationId }, owner.actor))).toBe(
      'conflict',
    )
    expect(await kindOfProblem(services.organizations.removeMember(self, owner.actor))).toBe('conflict')
    expect(
      await kindOfProblem(services.organizations.changeRole({ ...self, role: 'admin' }, owner.actor)),
    ).toBe('conflict')
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

      const kinds = await Promise.all([kindOfProblem(act(owner, second)), kindOfProblem(act(second, owner))])

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
    expect(
      await kindOfProblem(services.organizations.get({ organizationId, accountId: member.accountId })),
    ).toBe('not_found')
    expect(
      await kindOfProblem(
        services.organizations.removeMember(
          { organizationId, memberAccountId: member.accountId },
          owner.actor,
        ),
      ),
    ).toBe('not_found')
  })
})
