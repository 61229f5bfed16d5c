/** A page calls nothing done that is not: the to-dos of developers, and a form in which nobody typed yet. */
import { randomUUID } from 'node:crypto'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { beforeAll, expect, test } from 'vitest'
import { paths } from '../../../server/contract/portal/paths.ts'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { loader as registrationForm } from '../registrations/registration-form.route.tsx'
import { loader as dashboard } from './dashboard.route.tsx'

let services: TestServices
const support = registrationSupport(() => services)

beforeAll(async () => {
  services = await registrationServices()
})

async function load(loader: (args: LoaderFunctionArgs) => unknown, accountId: string, organization: string) {
  const account = await services.prisma.account.findUniqueOrThrow({ where: { id: accountId } })
  const now = services.clock()
  const session = {
    id: randomUUID(),
    accountId,
    account,
    authenticatedAt: now,
    mfaState: 'done',
    mfaAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  }
  const context = {
    services: { ...services, sessions: { ...services.sessions, read: async () => ({ session }) } },
    correlationId: 'c1',
    clientIp: '203.0.113.9',
  } as unknown as AppLoadContext
  const request = new Request('https://portal.example/page')
  return (await loader({ request, params: { organization }, context })) as object
}

async function slugOf(id: string): Promise<string> {
  return (await services.prisma.organization.findUniqueOrThrow({ where: { id } })).slug
}

test('a developer who has a question to answer has it among the to-dos', async () => {
  const { organizationId, owner, registrationId } = await support.submitted()
  const slug = await slugOf(organizationId)
  const page = () => load(dashboard as never, owner.accountId, slug)
  expect(await page()).toMatchObject({ todos: [] })

  await services.prisma.registration.update({ where: { id: registrationId }, data: { state: 'needs_info' } })

  expect(await page()).toMatchObject({
    todos: [
      {
        title: 'Answer the reviewer’s questions about “Tidepath Health”.',
        to: paths.registration(slug, registrationId),
      },
    ],
  })
})

test('a new registration has no errors before anything is typed', async () => {
  const { organizationId, owner } = await support.makeTeam()

  const data = await load(registrationForm as never, owner.accountId, await slugOf(organizationId))

  expect(data).toMatchObject({ id: null, report: null })
})
