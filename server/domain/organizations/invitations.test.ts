import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from '../../../tests/support/mailed.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const DAY = 86_400_000
const { makePerson, makeTeam, addMember, invited, roleOf } = createTeams(() => services)

const services = await testServices({ template: 'schema' })

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
      kindOfProblem(
        services.organizations.invite({ organizationId, email: spelling, role: 'viewer' }, owner.actor),
      )

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
      await kindOfProblem(
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
    expect(
      await kindOfProblem(services.organizations.cancelInvitation({ invitationId: id }, owner.actor)),
    ).toBe('conflict')
    expect(
      await kindOfProblem(services.organizations.renewInvitation({ invitationId: id }, owner.actor)),
    ).toBe('conflict')
    expect(await mailsTo(services, guest.email)).toEqual(['invitation', 'invitation-cancelled'])
  })

  test('accepted and withdrawn at the same moment has one outcome', async () => {
    const { organizationId, owner, guest, id, token } = await invited()

    const [answer, cancelled] = await Promise.all([
      services.organizations.acceptInvitation({ token }, guest.actor),
      kindOfProblem(services.organizations.cancelInvitation({ invitationId: id }, owner.actor)),
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

  test('is bounded per address, whoever invites: nobody is buried in mail', async () => {
    const email = `${randomUUID().slice(0, 8)}@samplewood.example`
    const kinds: string[] = []
    for (let number = 0; number < 6; number++) {
      const { organizationId, owner } = await makeTeam()
      const invitation = { organizationId, email, role: 'viewer' } as const
      kinds.push(await kindOfProblem(services.organizations.invite(invitation, owner.actor)))
    }

    expect(kinds).toEqual([...Array<string>(5).fill('none'), 'rate_limited'])
  })

  test('is bounded: nobody sends mail to the whole town', async () => {
    const { organizationId, owner } = await makeTeam()
    const kinds: string[] = []
    for (let number = 0; number < 31; number++) {
      kinds.push(
        await kindOfProblem(
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
