/** A page calls nothing done that is not: the to-dos of developers, and the form of a new app. */
import { randomUUID } from 'node:crypto'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { beforeAll, expect, test } from 'vitest'
import { newAppForm } from '../../../server/contract/forms/new-app.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { loader as registrationForm } from '../registrations/registration-form.route.tsx'
import { loader as dashboard } from './dashboard.route.tsx'

let services: TestServices
const support = registrationSupport(() => services)

beforeAll(async () => {
  services = await registrationServices()
})

async function load(
  loader: (args: LoaderFunctionArgs) => unknown,
  accountId: string,
  params: Record<string, string>,
) {
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
  return (await loader({ request, params, context })) as object
}

async function slugOf(id: string): Promise<string> {
  return (await services.prisma.organization.findUniqueOrThrow({ where: { id } })).slug
}

test('a developer who has a question to answer has it among the to-dos', async () => {
  const { organizationId, owner, registrationId } = await support.submitted()
  const slug = await slugOf(organizationId)
  const page = () => load(dashboard as never, owner.accountId, { organization: slug })
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

test('the form of a new app has nothing to fix: all it lacks is empty, and for production', async () => {
  const { organizationId, owner } = await support.makeTeam()
  const answers = { name: 'Tidepath', audience: 'patient', redirectUris: 'http://127.0.0.1:8080/' }
  const { registrationId } = await services.registrations.createApp(
    { organizationId, app: newAppForm.parse(answers), idempotencyKey: randomUUID() },
    owner.actor,
  )

  const page = (await load(registrationForm as never, owner.accountId, {
    organization: await slugOf(organizationId),
    registration: registrationId,
  })) as { report: LintReport }

  const errors = page.report.findings.filter(({ severity }) => severity === 'error')
  expect(errors.length).toBeGreaterThan(0)
  expect(errors.filter(({ stage, missing }) => stage === 'sandbox' || !missing)).toEqual([])
})
