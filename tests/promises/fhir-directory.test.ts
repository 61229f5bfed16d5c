/** The public directory of practices: `/r4/endpoints`. */
import { beforeAll, describe, expect, test } from 'vitest'
import { practices } from '../../seed/practices.ts'
import { fhirOrigin, fhirStack } from '../support/fhir.ts'
import { addPractice } from '../support/people.ts'
import { createTeams } from '../support/team.ts'
import { createVisitor } from '../support/visitor.ts'

const stack = await fhirStack()

const send = (path = '/r4/endpoints', init: RequestInit = {}) =>
  stack.app.fetch(new Request(`https://any.example${path}`, init))

type Resource = { resourceType: string; id: string; [element: string]: unknown }

async function resourcesOf(path?: string): Promise<Resource[]> {
  const { entry = [] } = await (await send(path)).json()
  return entry.map(({ resource }: { resource: Resource }) => resource)
}

const expectedSlugs = (environment: string) =>
  practices
    .filter(
      (each) =>
        each.environment === environment && each.state === 'active' && each.fhirEnabled && each.inDirectory,
    )
    .map(({ slug }) => slug)
    .sort()

describe('the bundle', () => {
  test('holds a brand and an endpoint for every practice that is active, enabled and listed', async () => {
    const resources = await resourcesOf()

    const ids = (type: string) =>
      resources
        .filter(({ resourceType }) => resourceType === type)
        .map(({ id }) => id)
        .sort()
    expect(ids('Organization')).toEqual(expectedSlugs('production'))
    expect(ids('Endpoint')).toEqual(expectedSlugs('production'))
    expect(
      resources.find(({ id, resourceType }) => id === 'harbor-family' && resourceType === 'Organization'),
    ).toMatchObject({
      name: 'Harborlight Family Medicine',
      active: true,
      identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: expect.stringMatching(/^\d{10}$/) }],
      address: [{ line: ['1 Example Square'], city: 'Samplehaven', state: 'ME', postalCode: '04999' }],
      telecom: [{ system: 'url' }],
      endpoint: [{ reference: 'Endpoint/harbor-family' }],
    })
    expect(
      resources.find(({ id, resourceType }) => id === 'harbor-family' && resourceType === 'Endpoint'),
    ).toMatchObject({
      status: 'active',
      address: `${fhirOrigin}/r4/harbor-family`,
      connectionType: { code: 'hl7-fhir-rest' },
      extension: [
        { url: 'http://hl7.org/fhir/StructureDefinition/endpoint-fhir-version', valueCode: '4.0.1' },
      ],
      payloadType: [{ coding: [{ code: 'none' }] }],
      contact: [{ system: 'url' }],
    })
  })

  test('is a collection with the time of its last change, and every reference in it resolves in it', async () => {
    const answer = await send()
    const body = await answer.json()

    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/fhir+json; charset=utf-8',
    ])
    expect(body).toMatchObject({ resourceType: 'Bundle', type: 'collection' })
    expect(body.meta.profile).toEqual([
      'http://hl7.org/fhir/smart-app-launch/StructureDefinition/user-access-brands-bundle',
    ])
    expect(body.timestamp).toBe(body.meta.lastUpdated)
    const addresses = new Set(
      body.entry.map(({ resource }: { resource: Resource }) => `${resource.resourceType}/${resource.id}`),
    )
    for (const reference of JSON.stringify(body).match(/(?<="reference":")[^"]+/g) ?? [])
      expect(addresses).toContain(reference)
  })

  test('lists sandbox practices apart, and each listed base URL answers', async () => {
    const sandbox = await resourcesOf('/r4/endpoints/sandbox')

    expect(sandbox.filter(({ resourceType }) => resourceType === 'Endpoint').map(({ id }) => id)).toEqual(
      expectedSlugs('sandbox'),
    )
    for (const { address } of [...(await resourcesOf()), ...sandbox].filter(
      ({ resourceType }) => resourceType === 'Endpoint',
    )) {
      expect((await stack.call(`${address}/metadata`)).status, String(address)).toBe(200)
    }
  })

  test('a base URL with an unknown or malformed slug gets a 404', async () => {
    for (const practice of ['nobody', '%00', '%ff', 'Harbor-Family', '%F0%9F%90%A6', 'a'.repeat(2_000)])
      expect((await send(`/r4/${practice}/metadata`)).status, practice.slice(0, 20)).toBe(404)
  })

  test('is the same for every caller, cacheable, and revalidated by its ETag', async () => {
    const first = await send('/r4/endpoints', { headers: { origin: 'https://app.example' } })
    const etag = first.headers.get('etag') ?? ''
    const again = await send('/r4/endpoints', { headers: { 'if-none-match': etag } })

    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await send('/r4/endpoints', { method: 'HEAD' })).status).toBe(200)
    expect((await send('/r4/endpoints', { method: 'OPTIONS' })).status).toBe(204)
    expect((await send('/r4/endpoints', { method: 'POST' })).status).toBe(404)
    expect((await send('/r4/endpoints/nowhere')).status).toBe(404)
    expect((await send('/r4/endpoints?_format=xml')).status).toBe(406)
  })

  test('follows a practice that is closed to apps within a minute', async () => {
    const { prisma, advance } = stack.services
    const etag = (await send()).headers.get('etag')
    await prisma.practice.update({ where: { slug: 'juniper-point' }, data: { fhirEnabled: false } })
    advance(60_000)

    const after = await send()

    expect(after.headers.get('etag')).not.toBe(etag)
    expect(await after.text()).not.toContain('juniper-point')
    await prisma.practice.update({ where: { slug: 'juniper-point' }, data: { fhirEnabled: true } })
    advance(60_000)
  })
})

describe('a search on the directory page', () => {
  const slugs = async (text: string) =>
    (await stack.services.directory.search('production', text)).map(({ slug }) => slug)

  test('finds by words of the name, in any case, by NPI and by postal code', async () => {
    const [first] = await stack.services.directory.list('production')
    const npi = first?.npi ?? 'none'

    expect(await slugs('')).toEqual(['harbor-family', 'juniper-point'])
    expect(await slugs('FAMILY harbor')).toEqual(['harbor-family'])
    expect(await slugs(npi)).toEqual(['harbor-family'])
    expect(await slugs('04999')).toEqual(['harbor-family'])
    expect(await slugs('0')).toEqual(['harbor-family', 'juniper-point'])
    expect(await slugs('juniper harbor')).toEqual([])
    expect(await slugs('𝔥𝔞𝔯𝔟𝔬𝔯 %_')).toEqual(await slugs('harbor'))
  })
})

describe('a member who is signed in', () => {
  const sandbox = '/r4/endpoints/sandbox'
  let visitor: ReturnType<typeof createVisitor>
  let cookie: string
  let slug: string
  let organizationId: string
  let accountId: string

  beforeAll(async () => {
    const { services } = stack
    visitor = createVisitor(services)
    accountId = await visitor.makeVerified()
    const signedIn = await visitor.signIn()
    if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind)
    cookie = signedIn.cookie.split(';')[0] ?? ''
    const context = { ip: '203.0.113.9', userAgent: 'vitest', correlationId: 'directory' }
    const actor = { ...context, accountId, sessionId: accountId, authenticatedAt: services.clock() }
    ;({ id: organizationId } = await services.organizations.create({ name: 'Placeholder Works' }, actor))
    ;({ slug } = await services.sandboxes.ensure(organizationId, { writable: false }))
    const otherTeam = await createTeams(() => services).makeTeam()
    await services.sandboxes.ensure(otherTeam.organizationId, { writable: false })
  })

  const endpointsOf = (body: { entry: { resource: Resource }[] }) =>
    body.entry.flatMap(({ resource }) => (resource.resourceType === 'Endpoint' ? [resource] : []))

  test('finds the organization’s own sandbox first in the sandbox list, and a base that answers', async () => {
    const body = await (await send(sandbox, { headers: { cookie } })).json()
    const [own, ...others] = endpointsOf(body)

    expect(own).toMatchObject({ id: slug, address: `${fhirOrigin}/r4/${slug}` })
    expect(others.map(({ id }) => id)).toEqual(expectedSlugs('sandbox'))
    expect((await stack.call(`${own?.address}/metadata`)).status).toBe(200)
  })

  test('gets a response that no shared cache stores, with an ETag of its own', async () => {
    const shared = await send(sandbox)
    const own = await send(sandbox, { headers: { cookie } })
    const etag = own.headers.get('etag') ?? ''

    expect(own.headers.get('cache-control')).toBe('private, no-cache')
    expect(own.headers.get('vary')).toBe('Accept-Encoding, Cookie')
    expect(etag).not.toBe(shared.headers.get('etag'))
    const again = await send(sandbox, { headers: { cookie, 'if-none-match': etag } })
    expect([again.status, again.headers.get('vary'), again.headers.get('cache-control')]).toEqual([
      304,
      'Accept-Encoding, Cookie',
      'private, no-cache',
    ])
    const old = await send(sandbox, {
      headers: { cookie, 'if-none-match': shared.headers.get('etag') ?? '' },
    })
    expect(old.status).toBe(200)
  })

  test('changes nothing for the public: the same cacheable response, which varies by cookie', async () => {
    const before = await send(sandbox)
    await send(sandbox, { headers: { cookie } })
    const after = await send(sandbox)

    expect(await after.text()).toBe(await before.text())
    expect(after.headers.get('cache-control')).toBe('public, max-age=300')
    expect(after.headers.get('vary')).toBe('Accept-Encoding, Cookie')
    const strange = await send(sandbox, { headers: { cookie: 'sandpiper-developer=nobody' } })
    expect(strange.headers.get('etag')).toBe(after.headers.get('etag'))
    expect(endpointsOf(await strange.json()).map(({ id }) => id)).toEqual(expectedSlugs('sandbox'))
  })

  test('sees neither a closed sandbox nor one of an organization they left', async () => {
    const { prisma } = stack.services
    const seesOwnSandbox = async () => {
      const answer = await send(sandbox, { headers: { cookie } })
      return (await answer.text()).includes(slug)
    }
    expect(await seesOwnSandbox()).toBe(true)
    await prisma.practice.update({ where: { slug }, data: { fhirEnabled: false } })
    expect(await seesOwnSandbox()).toBe(false)
    await prisma.practice.update({ where: { slug }, data: { fhirEnabled: true } })
    expect(await seesOwnSandbox()).toBe(true)
    await prisma.membership.deleteMany({ where: { organizationId, accountId } })
    expect(await seesOwnSandbox()).toBe(false)
  })
})

test('no practice can take the address of the directory', async () => {
  await expect(addPractice(stack.services, { slug: 'endpoints' })).rejects.toThrow()
})
