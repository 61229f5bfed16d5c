/**
 * Nobody opens or changes what belongs to another organization, swept over every address of the portal that names
 * something: a foreign id is answered exactly like one that nobody has, and nothing is changed.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import routes from '../../app/routes.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { emptyRegistration } from '../../server/contract/workflows/registration-form.ts'
import { rootDir } from '../../server/root-dir.ts'
import { agreementSupport } from '../support/agreements.ts'
import { createKeyOwners } from '../support/key-owners.ts'
import { keyRequestForm } from '../support/key-request.ts'
import { masked } from '../support/masked.ts'
import { description, forms } from '../support/portal-forms.ts'
import { type RestStack, restStack } from '../support/rest.ts'
import { slice } from '../support/slice.ts'
import { smartSupport } from '../support/smart.ts'
import { createTeams } from '../support/team.ts'
import { createVisitor } from '../support/visitor.ts'

type Route = { path: string; file: string }
type Fields = Readonly<Record<string, string>>

/** Old addresses read nothing: they only send on. */
const all: readonly Route[] = routes
  .flatMap((each) => flatten(each, ''))
  .filter(({ file }) => file !== 'public/not-found.route.tsx')
const named = all.filter(({ path }) => path.includes(':'))
/** Pages of the other sign-ins; those that sign somebody in ask for no session. */
const ofOtherRealms = all.filter(({ path }) =>
  /^(staff|practice|patient)(\/(?!sign-in|confirm-password|second-step(\/|$)|invitations|\*)|$)/.test(path),
)
const signIns = {
  staff: paths.staffSignIn,
  practice: paths.practiceSignIn,
  patient: paths.patientSignIn,
}
const inOrganization = named.filter(({ path }) => path.startsWith('organizations/:organization'))

function flatten({ path = '', file, children = [] }: (typeof routes)[number], above: string): Route[] {
  const whole = [above, path].filter(Boolean).join('/')
  return [{ path: whole, file }, ...children.flatMap((child) => flatten(child, whole))]
}

let stack: RestStack
let cookie: string
let ownSlug: string
/** Of an organization that the visitor is not in. */
let theirs: { slug: string; ids: Readonly<Record<string, string>>; members: Fields }
let lookAtTheirs: () => Promise<string>

beforeAll(async () => {
  stack = await restStack()
  const { services } = stack
  const { prisma, organizations, keys } = services
  const teams = createTeams(() => services)
  const { id: keyId, organizationId, owner } = await createKeyOwners(() => stack, teams).ownedKey()
  const { slug } = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
  const form = keyRequestForm(services, organizationId, { projectDescription: description })
  const { requestId } = await keys.requestSandboxKey(form, owner.actor)
  await prisma.sandboxKeyRequest.update({ where: { id: requestId }, data: { state: 'needs_info' } })
  const { client } = await smartSupport(services).createClient({ scope: 'system/*.rs', organizationId })
  const { registrationId } = await services.registrations.saveDraft(
    {
      registrationId: null,
      organizationId,
      form: { ...emptyRegistration, name: 'Tidepath' },
      version: null,
      idempotencyKey: randomUUID(),
    },
    owner.actor,
  )
  const guest = { email: 'guest@samplewood.example', role: 'viewer' } as const
  const { id: invitationId } = await organizations.invite({ organizationId, ...guest }, owner.actor)
  const agreement = agreementSupport(() => services)
  const parties = await agreement.makeParties()
  const ownerOf = { ...parties.owner, accountId: owner.accountId }
  const agreementId = await agreement.offerUsage({ ...parties, organizationId, owner: ownerOf })
  const { id: productionKeyId } = await prisma.productionKeyRequest.create({
    data: {
      organizationId,
      requestedById: owner.accountId,
      practiceId: parties.practiceId,
      practiceSlug: 'fennmoor',
      state: 'draft',
      name: 'Nightly import',
      level: 'read_only',
      termDays: 90,
      createdAt: services.clock(),
      updatedAt: services.clock(),
    },
  })
  theirs = {
    slug,
    ids: {
      key: keyId,
      request: requestId,
      client: client.clientId,
      registration: registrationId,
      account: owner.accountId,
      agreement: agreementId,
      productionKey: productionKeyId,
      file: '1',
      patient: 'pt-nobody-has',
    },
    members: { member: owner.accountId, invitation: invitationId, request: requestId },
  }
  const where = { organizationId }
  lookAtTheirs = async () =>
    JSON.stringify([
      await prisma.organization.findUnique({ where: { id: organizationId } }),
      await prisma.apiKey.findMany({ where, omit: { secretHash: true } }),
      await prisma.sandboxKeyRequest.findMany({ where }),
      await prisma.client.findMany({ where }),
      await prisma.registration.findMany({ where }),
      await prisma.productionKeyRequest.findMany({ where }),
      await prisma.securityProfile.findMany({ where }),
      await prisma.practice.findMany({ where }),
      await prisma.sandboxChange.count(),
      await prisma.agreement.findMany({
        where,
        include: { signatures: true, events: { select: { event: true } } },
      }),
      await prisma.practiceSystemAuthorization.count({ where: { client: where } }),
      await prisma.membership.findMany({ where }),
      await prisma.invitation.findMany({ where }),
      await prisma.outboxMail.count(),
    ])

  const visitor = createVisitor(services)
  const accountId = await visitor.makeVerified()
  const signedIn = await visitor.signIn()
  if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind)
  cookie = signedIn.cookie.split(';')[0] ?? ''
  const context = { ip: '203.0.113.9', userAgent: 'vitest', correlationId: randomUUID() }
  const actor = { ...context, accountId, sessionId: randomUUID(), authenticatedAt: services.clock() }
  const { id } = await organizations.create({ name: 'Placeholder Works' }, actor)
  await services.sandboxes.ensure(id, { writable: false })
  ownSlug = (await prisma.organization.findUniqueOrThrow({ where: { id } })).slug
})

type Handler = (args: object) => unknown
type Module = { loader?: Handler; action?: Handler }
const modules = new Map<string, Promise<Module>>()

function load(file: string): Promise<Module> {
  const found = modules.get(file) ?? (import(join(rootDir, 'app', file)) as Promise<Module>)
  modules.set(file, found)
  return found
}

/** Asks one route alone, as Remix does: whatever its parents say, its own loader has to refuse. */
async function ask(
  { path, file }: Route,
  params: Fields,
  { fields, signedIn = true }: { fields?: Fields; signedIn?: boolean } = {},
): Promise<{ status: number; location: string | null; said: string } | null> {
  const { loader, action } = await load(file)
  const handler = fields ? action : loader
  if (!handler) return null
  const address = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))
  const origin = 'https://portal.example'
  const request = new Request(`${origin}/${address}`, {
    method: fields ? 'POST' : 'GET',
    headers: { origin, ...(signedIn && { cookie }) },
    ...(fields && { body: new URLSearchParams(fields) }),
  })
  const context = {
    services: stack.services,
    nonce: 'n',
    correlationId: randomUUID(),
    clientIp: '203.0.113.9',
    mayDevelop: false,
    formActions: [],
  }
  try {
    return await toAnswer(await handler({ request, params, context }))
  } catch (thrown) {
    return toAnswer(thrown)
  }
}

async function toAnswer(answer: unknown) {
  if (answer instanceof Response) {
    const location = answer.headers.get('location')
    const said = await answer.text()
    // To a form with files a redirect is a value (app/lib/upload.server.ts).
    const [, to] = /^\{"to":"([^"]+)"\}$/.exec(said) ?? []
    if (to) return { status: 302, location: to, said: '' }
    return { status: answer.status, location, said: masked(said) }
  }
  if (answer instanceof Error) throw answer
  const { data, init } = (answer ?? {}) as { data?: unknown; init?: ResponseInit | null }
  const isData = typeof answer === 'object' && answer !== null && 'init' in answer
  return {
    status: isData ? (init?.status ?? 200) : 200,
    location: null,
    said: masked(JSON.stringify(isData ? data : answer) ?? ''),
  }
}

const withForeign = (fields: Fields, ids: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === 'FOREIGN' ? (ids[name] ?? '') : value]),
  )

const paramsOf = ({ path }: Route, organization: string, id: (name: string) => string): Fields =>
  Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
      name,
      name === 'organization' ? organization : id(name),
    ]),
  )

/** Shapes of an id that nobody has. */
const nobodys = [
  '00000000-0000-7000-8000-000000000000',
  'no-such',
  '%00',
  '\u{1F426}é',
  "' OR 1=1 --",
  'a'.repeat(5_000),
]

test('every address in an organization that takes a form has a row here', () => {
  const taking = inOrganization
    .filter(({ file }) => /export const action\b/.test(readFileSync(join(rootDir, 'app', file), 'utf8')))
    .map(({ path }) => path)

  expect(Object.keys(forms).sort()).toEqual([...new Set(taking)].sort())
})

describe.each(inOrganization)('/$path', (route) => {
  const posts = forms[route.path] ?? []

  test('leads whoever is not signed in to the sign-in', async () => {
    const params = paramsOf(route, theirs.slug, (name) => theirs.ids[name] ?? '')

    for (const fields of [undefined, ...posts]) {
      const answer = await ask(route, params, { fields, signedIn: false })
      if (answer === null) continue
      expect(answer.status).toBe(302)
      expect(answer.location).toContain(`${paths.signIn}?`)
    }
  })

  test('is not there for who is not in the organization, as if there were none', async () => {
    const before = await lookAtTheirs()
    const answersIn = async (slug: string) => {
      const params = paramsOf(route, slug, (name) => theirs.ids[name] ?? '')
      const asked = [undefined, ...posts.map((fields) => withForeign(fields, theirs.members))]
      return Promise.all(asked.map((fields) => ask(route, params, { fields })))
    }

    const foreign = await answersIn(theirs.slug)

    for (const answer of foreign) expect(answer?.status ?? 404).toBe(404)
    expect(await answersIn('nobodys-organization')).toEqual(foreign)
    expect(await lookAtTheirs()).toBe(before)
  })

  test('finds nothing of another organization under the own address, as if it were not there', async () => {
    const names = Object.values(forms[route.path] ?? []).some((fields) =>
      Object.values(fields).includes('FOREIGN'),
    )
    const gets = /:(key|request|client|registration|agreement|productionKey|patient)/.test(route.path)
    if (!names && !gets) return
    const before = await lookAtTheirs()
    const answersFor = (id: (name: string) => string) => {
      const params = paramsOf(route, ownSlug, id)
      const foreign = new Proxy({}, { get: (_all, name: string) => id(name) }) as Fields
      const asked = [...(gets ? [undefined] : []), ...posts.map((fields) => withForeign(fields, foreign))]
      return Promise.all(asked.map((fields) => ask(route, params, { fields })))
    }

    const foreign = await answersFor((name) => theirs.ids[name] ?? theirs.members[name] ?? '')

    for (const answer of foreign) expect(answer?.status ?? 404).toBe(404)
    // A NUL in a form is refused with the form; in a path it is an id like any other.
    for (const id of slice(names ? nobodys : [...nobodys, '\0'], 2))
      expect(await answersFor(() => id), id.slice(0, 40)).toEqual(foreign)
    expect(await lookAtTheirs()).toBe(before)
  })
})

test.each(ofOtherRealms)('/$path is not for developers', async (route) => {
  const signIn = signIns[route.path.split('/')[0] as keyof typeof signIns]
  const params = paramsOf(route, '', (name) => theirs.ids[name] ?? '')

  for (const signedIn of [true, false])
    for (const fields of [undefined, { intent: 'approve', decision: 'approve', version: '1', id: 'x' }]) {
      const answer = await ask(route, params, { fields, signedIn })
      if (answer === null) continue
      expect(answer.status).toBe(302)
      expect(answer.location).toContain(`${signIn}?`)
    }
})

test('every other address that names something is public, or of a browser’s own', () => {
  const rest = named.filter(({ path }) => !inOrganization.some((each) => each.path === path))

  expect(rest.map(({ path }) => path).sort()).toEqual([
    'authorize/:request',
    'dev/mail/:mail',
    'docs/:page.md',
    'docs/errors/:code',
    'docs/errors/:code.md',
    'docs/how-to/:page.md',
    'docs/reference/:page.md',
    'docs/reference/:part/:page.md',
    'explorer/rest/:operation',
    'launch/log/:launch',
    'legal/templates/:template',
    'legal/templates/:template/document.pdf',
    'logos/:file',
    'practice/agreements/:agreement',
    'practice/agreements/:agreement/change',
    'practice/agreements/:agreement/compare',
    'practice/agreements/:agreement/files/:file',
    'practice/keys/:key/access',
    'practice/second-steps/:account',
    'practice/sponsorships/:request',
    'practice/use/:kind/:subject',
    'staff/incidents/:incident',
    'staff/key-requests/:request',
    'staff/practices/:practice',
    'staff/production-keys/:request',
    'staff/registrations/:registration',
    'staff/second-steps/:account',
    'status/incidents/:incident',
  ])
})

test.each(inOrganization.filter(({ path }) => /\/logs(\/live|\.csv)?$/.test(path)))(
  '$path has no calls of another organization’s key or app',
  async (route) => {
    for (const caller of [`key:${theirs.ids.key}`, `app:${theirs.ids.client}`]) {
      const path = `${route.path}?caller=${encodeURIComponent(caller)}`
      const answer = await ask({ ...route, path }, { organization: ownSlug })
      expect([answer?.status, answer?.location], caller).toEqual([404, null])
      expect(answer?.said).not.toContain(theirs.slug)
    }
  },
)
