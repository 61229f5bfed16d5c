import { expect, test } from 'vitest'
import { demoPeople } from '../../../seed/demo-people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { tour, tourStops } from '../../contract/lab/tour.ts'

const context = { ip: '127.0.0.1', userAgent: 'vitest', correlationId: 'c' }
const local = { PUBLIC_ORIGIN: 'http://localhost:3000' }
const { developer } = tour

const dana = { realm: developer.realm, email: developer.email, name: developer.name }

test('the tour signs in as people of the demonstration, and says so in the audit log', async () => {
  const { accounts, prisma, sessions } = await testServices({ environment: local })
  const { id } = await accounts.createDemoAccount({ ...dana, password: 'nobody-types-this' })

  const cookie = await accounts.signInAtTour({ person: 'developer' }, context)

  const headers = { cookie: String(cookie).split(';')[0] ?? '' }
  const read = await sessions.read(new Request('http://localhost:3000/', { headers }), 'developer')
  expect(read?.session.accountId).toBe(id)
  const event = await prisma.auditEvent.findFirst({ where: { action: 'account.signed_in', subjectId: id } })
  expect(event?.detail).toMatchObject({ tour: true })
})

test('nobody else is signed in: no account, one of somebody’s own, one that is disabled', async () => {
  const { accounts, prisma, clock } = await testServices({ environment: local })
  const signIn = () => accounts.signInAtTour({ person: 'developer' }, context)

  expect(await signIn()).toBeNull()
  const own = await prisma.account.create({
    data: { ...dana, passwordHash: 'x', emailVerifiedAt: clock(), createdAt: clock() },
  })
  expect(await signIn()).toBeNull()
  await prisma.account.update({ where: { id: own.id }, data: { isDemo: true, disabledAt: clock() } })
  expect(await signIn()).toBeNull()
})

test('there is no tour on a public origin, nor with a database of one’s own', async () => {
  const elsewhere = { PUBLIC_ORIGIN: 'https://portal.example' }
  const { accounts } = await testServices({ environment: elsewhere })
  await accounts.createDemoAccount({ ...dana, password: 'nobody-types-this' })

  expect(await accounts.signInAtTour({ person: 'developer' }, context)).toBeNull()
})

test('everybody on the tour is one of the demonstration sign-ins', () => {
  for (const stop of tourStops) {
    const { realm, email, name } = tour[stop]
    expect(demoPeople).toContainEqual(expect.objectContaining({ realm, email, name }))
  }
})
