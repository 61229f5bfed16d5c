/**
 * Real access tokens, given out by the domain as the authorize page and the token endpoint give them: a person
 * agrees, a code is exchanged; a practice authorizes a system, a token is asked for.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { readScopes } from '../../server/contract/smart/scopes.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { NewClient } from '../../server/domain/clients/client-types.ts'
import type { TokenAnswer } from '../../server/domain/grants/issue-tokens.ts'
import { createLaunch as newLaunch } from '../../server/domain/grants/launches.ts'
import { getSmartPractice } from '../../server/domain/practices/fhir-access.ts'
import type { Services } from '../../server/services.ts'
import { addAccount, signedIn } from './people.ts'

export const demonstration = 'sandpiper-demonstration'

export type IssuedToken = TokenAnswer & { clientId: string; grantId: string }

type TokenOptions = {
  /** Slug. */
  practice?: string
  /** `system/…`: a backend system's token; else a person's. */
  scope: string
  /** Whose record: of a patient's own, or chosen by a clinician. */
  patientId?: string
  /** Who agrees, for scopes that are not `system/`. */
  audience?: 'patient' | 'clinician'
  practitionerId?: string
  /** An app made before; left out, a new one. */
  client?: { clientId: string }
}

export const verifier = 'a-verifier-of-the-tests-that-is-long-enough-for-pkce'
export const challenge = hash('sha256', verifier, 'base64url')
export const redirectUri = 'https://app.example/callback'

export function smartSupport(services: Services) {
  const { prisma, clients, clock } = services

  /** One of our own apps, registered; missing fields are filled in. */
  async function createClient(input: Partial<NewClient> & { scope: string }) {
    const audience = input.audience ?? (input.scope.includes('system/') ? 'backend' : 'patient')
    const isBackend = audience === 'backend'
    return clients.create(
      {
        organizationId: null,
        environment: 'sandbox',
        audience,
        authentication: isBackend ? 'private_key_jwt' : 'none',
        name: `Test app ${randomUUID().slice(0, 8)}`,
        ...(isBackend ? { jwks: { keys: [await publicKey()] } } : { redirectUris: [redirectUri] }),
        everyPractice: true,
        ...input,
      },
      null,
    )
  }

  async function createAccount(realm: 'patient' | 'practice' | 'developer', passwordHash = 'none') {
    return addAccount(services, realm, { passwordHash })
  }

  /** As a signed-in person is known to the domain. */
  const actorOf = (accountId: string) => signedIn(() => services, accountId)()

  /** Somebody who may act for the patient at the practice. */
  async function createPatientPerson(practiceId: string, patientId: string, relationship = 'self') {
    const account = await createAccount('patient')
    await prisma.patientLogin.create({
      data: { practiceId, accountId: account.id, patientId, relationship, createdAt: clock() },
    })
    return actorOf(account.id)
  }

  async function createClinician(practiceId: string, practitionerId: string) {
    const account = await createAccount('practice')
    await prisma.practiceMembership.create({
      data: { practiceId, accountId: account.id, role: 'clinician', practitionerId, createdAt: clock() },
    })
    return actorOf(account.id)
  }

  async function createAdmin(practiceId: string) {
    const account = await createAccount('practice')
    await prisma.practiceMembership.create({
      data: { practiceId, accountId: account.id, role: 'admin', createdAt: clock() },
    })
    return actorOf(account.id)
  }

  /** What the EHR opens an app with. */
  function createLaunch(launch: Parameters<typeof newLaunch>[2]): Promise<string> {
    return prisma.$transaction((tx) => newLaunch(services, tx, launch))
  }

  async function issueToken(options: TokenOptions): Promise<IssuedToken> {
    return options.scope.includes('system/') ? issueSystemToken(options) : issuePersonToken(options)
  }

  async function issuePersonToken(options: TokenOptions): Promise<IssuedToken> {
    const { scope, patientId, audience = 'patient', practitionerId = 'pr-ines-placeholder' } = options
    const practice = await getSmartPractice(prisma, options.practice ?? demonstration)
    const client =
      options.client ?? (await createClient({ scope, audience, environment: practice.environment })).client
    const actor =
      audience === 'clinician'
        ? await createClinician(practice.id, practitionerId)
        : await createPatientPerson(practice.id, patientId ?? 'pt-wren-testwell')
    const row = await prisma.client.findUniqueOrThrow({ where: { id: client.clientId } })
    const scopes = readScopes(scope)
    const { id, cookie } = await services.pendingAuthorizations.open(
      {
        practice,
        client: row,
        redirectUri,
        state: 'state',
        nonce: null,
        codeChallenge: challenge,
        scopes,
        launch: null,
      },
      null,
    )
    const { redirectTo } = await services.authorizations.approve(
      { id, cookieHeader: cookie.split(';')[0] ?? '' },
      actor,
      {
        patientId: patientId ?? (audience === 'patient' ? 'pt-wren-testwell' : null),
        scopes,
        offlineAccess: true,
      },
    )
    const answer = await services.tokens.exchangeCode({
      practice,
      client: row,
      code: new URL(redirectTo).searchParams.get('code') ?? '',
      redirectUri,
      codeVerifier: verifier,
      ip: '192.0.2.1',
      correlationId: randomUUID(),
    })
    return withGrant(answer, client.clientId)
  }

  async function issueSystemToken({ scope, ...options }: TokenOptions): Promise<IssuedToken> {
    const practice = await getSmartPractice(prisma, options.practice ?? demonstration)
    const clientId =
      options.client?.clientId ?? (await createSystem({ scope, practice: practice.slug })).client.clientId
    const client = await prisma.client.findUniqueOrThrow({ where: { id: clientId } })
    return withGrant(await services.tokens.issueSystemToken({ practice, client, scope }), clientId)
  }

  /** A backend system of an organization, with or without the practice's word. */
  async function createSystem(options: {
    scope: string
    practice?: string
    granted?: boolean
    client?: Partial<NewClient>
  }) {
    const practice = await getSmartPractice(prisma, options.practice ?? demonstration)
    const { developer, organizationId } = await createOrganization()
    const { client } = await createClient({
      scope: options.scope,
      environment: practice.environment,
      organizationId,
      ...options.client,
    })
    const admin = await createAdmin(practice.id)
    const requested = await services.backendAuthorizations.request(
      {
        clientId: client.clientId,
        practiceSlug: practice.slug,
        scope: options.scope,
        purpose: 'Reads records in a test.',
      },
      developer,
    )
    const authorization =
      options.granted === false
        ? requested
        : await services.backendAuthorizations.grant({ id: requested.id, version: requested.version }, admin)
    return { client, admin, developer, organizationId, authorization }
  }

  async function createOrganization() {
    const account = await createAccount('developer')
    const developer = actorOf(account.id)
    const { id: organizationId } = await services.organizations.create(
      { name: `Test Labs ${randomUUID().slice(0, 8)}` },
      developer,
    )
    return { developer, organizationId }
  }

  /** Over a real connection, as a browser and that person would. @returns the address the browser ends at */
  async function walk(url: URL, actor: Actor): Promise<URL> {
    const answer = await fetch(url, { redirect: 'manual' })
    const id = /\/authorize\/([\w-]+)$/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
    const handle = { id, cookieHeader: answer.headers.get('set-cookie')?.split(';')[0] ?? null }
    const { scopes } = await services.authorizations.get(handle)
    const decision = { patientId: 'pt-wren-testwell', scopes, offlineAccess: true }
    return new URL((await services.authorizations.approve(handle, actor, decision)).redirectTo)
  }

  async function withGrant(answer: TokenAnswer, clientId: string): Promise<IssuedToken> {
    const tokenHash = new Uint8Array(hash('sha256', answer.access_token, 'buffer'))
    const { grantId } = await prisma.accessToken.findUniqueOrThrow({ where: { tokenHash } })
    return { ...answer, clientId, grantId }
  }

  return {
    createClient,
    createAccount,
    createOrganization,
    createSystem,
    createPatientPerson,
    createClinician,
    createAdmin,
    createLaunch,
    actorOf,
    walk,
    issueToken,
  }
}

async function publicKey() {
  const { publicKey } = await generateKeyPair('ES384')
  return { ...(await exportJWK(publicKey)), kid: randomBytes(8).toString('hex'), alg: 'ES384', use: 'sig' }
}
