/** The form of a draft in steps: each saves its own fields, and nobody's are overwritten unseen. */
import { randomUUID } from 'node:crypto'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { beforeEach, expect, test } from 'vitest'
import { newAppForm } from '../../../server/contract/forms/new-app.ts'
import { registrationFields } from '../../../server/contract/workflows/registration-form.ts'
import {
  completeForm,
  registrationServices,
  registrationSupport,
} from '../../../tests/support/registrations.ts'
import { signedInContext } from '../../../tests/support/signed-in-context.ts'
import { loader as pageLoader } from './registration.route.tsx'
import { action } from './registration-form.route.tsx'

const support = registrationSupport(() => services)
let params: { organization: string; registration: string }
let accountId: string

const services = await registrationServices({
  outbound: {
    get: async (url) => ({
      ...{ status: String(url).includes('gone') ? 404 : 200, contentType: 'text/html' },
      ...{ headers: {}, body: new Uint8Array() },
    }),
  },
})

beforeEach(async () => {
  const { organizationId, owner } = await support.makeTeam()
  const answers = { name: 'Tidepath', audience: 'patient', redirectUris: 'http://127.0.0.1:8080/' }
  const { registrationId } = await services.registrations.createApp(
    { organizationId, app: newAppForm.parse(answers), idempotencyKey: randomUUID() },
    owner.actor,
  )
  const { slug } = await services.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
  params = { organization: slug, registration: registrationId }
  accountId = owner.accountId
})

async function argsOf(query: string, body?: FormData): Promise<LoaderFunctionArgs & ActionFunctionArgs> {
  const context = await signedInContext(services, accountId)
  const request = new Request(`https://portal.example/form${query}`, body && { method: 'POST', body })
  return { request, params, context }
}

/** As the browser sends a step that was opened at this version, with the other steps as they were then. */
async function send(
  { version, form }: { version: number; form: Record<string, unknown> },
  step: string,
  typed: Record<string, string>,
  more: Record<string, string> = {},
) {
  const body = new FormData()
  for (const name of registrationFields) {
    const value = typed[name] ?? form[name]
    if (value === true) body.set(name, 'on')
    else if (typeof value === 'string') body.set(name, value)
    else if (Array.isArray(value)) body.set(name, value.join('\n'))
  }
  for (const [name, value] of Object.entries({
    ...{ step, version: String(version), idempotencyKey: randomUUID() },
    ...more,
  }))
    body.set(name, value)
  return (await action(await argsOf(`?step=${step}`, body))) as {
    status?: number
    headers?: Headers
    data?: {
      kind: string
      wrong: {
        faults: object
        form: Record<string, unknown>
        stale: { field: string }[]
        version: number
      } | null
    }
    init?: { status?: number }
  }
}

const stored = async () => {
  const { form, version } = await services.prisma.registration.findUniqueOrThrow({
    where: { id: params.registration },
  })
  return { form: form as Record<string, unknown>, version }
}

const website = 'https://tidepath.example/'
const privacyUrl = 'https://tidepath.example/privacy'

test('one box confirms every statement, and each is stored on its own', async () => {
  await send(await stored(), 'attestations', {}, { attestAll: 'on' })

  const names = ['attestAuthority', 'attestPatients', 'attestSecrets', 'attestChanges']
  const all = (value: boolean) => Object.fromEntries(names.map((name) => [name, value]))
  expect((await stored()).form).toMatchObject(all(true))
  // The step without its box takes the confirmation back.
  await send({ ...(await stored()), form: {} }, 'attestations', { name: 'Tidepath' })
  expect((await stored()).form).toMatchObject(all(false))
})

test('of two tabs the older does not overwrite the newer, and loses nothing', async () => {
  const older = await stored()
  await send(older, 'app', { website })

  const other = await send(older, 'policies', { privacyUrl }, { intent: 'autosave' })

  expect([other.init?.status, other.data?.wrong?.stale.map(({ field }) => field)]).toEqual([
    409,
    ['privacyUrl'],
  ])
  expect((await stored()).form).toMatchObject({ website, privacyUrl: '' })
  // What comes back has the other tab's field and this one's input: sent again, both are kept.
  const { form = {}, version = 0 } = other.data?.wrong ?? {}
  expect(form).toMatchObject({ website, privacyUrl })
  await send({ form, version }, 'policies', {})
  expect((await stored()).form).toMatchObject({ website, privacyUrl })
})

test('of two tabs at the same step the older is shown what differs', async () => {
  const older = await stored()
  await send(older, 'app', { website })

  const answer = await send(older, 'app', { website: 'https://elsewhere.example/' })

  expect(answer.init?.status).toBe(409)
  expect(answer.data?.wrong?.stale).toMatchObject([
    { field: 'website', before: website, after: 'https://elsewhere.example/' },
  ])
  expect((await stored()).form.website).toBe(website)
})

test('links of a complete draft are opened before it is submitted, and one that fails is named', async () => {
  const privacyUrl = 'https://tidepath.example/gone'
  const draft = await support.makeDraft(completeForm({ privacyUrl }))
  const { slug } = await services.prisma.organization.findUniqueOrThrow({
    where: { id: draft.organizationId },
  })
  params = { organization: slug, registration: draft.registrationId }
  accountId = draft.owner.accountId

  const { report, isFullyChecked } = await pageLoader(await argsOf(''))

  expect(isFullyChecked).toBe(true)
  expect(report?.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    { field: 'privacyUrl' },
  ])
})
