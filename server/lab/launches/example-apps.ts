/** An organization's example apps: one for each audience, created on first use and run by this server. */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { ensureButtonApp } from '../apps/sample-apps.ts'

type Audience = 'patient' | 'clinician' | 'backend'
export const exampleScopes: Readonly<Record<Audience, string>> = {
  patient: 'openid fhirUser launch launch/patient offline_access patient/*.rs',
  clinician: 'openid fhirUser launch launch/patient launch/encounter offline_access patient/*.rs user/*.rs',
  backend: 'system/*.rs',
}

const keyContext = (clientId: string) => `example app ${clientId}`

/** Creates the app if it is missing; two calls at once create one. @returns its client id */
export async function ensure(core: Core, organizationId: string, audience: Audience, actor: Actor) {
  const { prisma } = core
  // The id has no random part: otherwise two calls at once would create two apps.
  const clientId = `example-${audience}-${organizationId}`
  const known = await prisma.client.findUnique({ where: { id: clientId }, select: { id: true } })
  if (known === null) await register(core, { clientId, organizationId, audience }, actor)
  if (audience === 'backend') await ensureKey(core, clientId)
  return clientId
}

async function register(
  core: Core,
  { clientId, organizationId, audience }: { clientId: string; organizationId: string; audience: Audience },
  actor: Actor,
): Promise<void> {
  const key = audience === 'backend' ? await makeKey() : null
  await ensureButtonApp(
    core,
    {
      clientId,
      organizationId,
      audience,
      authentication: key === null ? 'none' : 'private_key_jwt',
      name: `Example app (${audience})`,
      description: 'The launch simulator’s example app. It runs on the server and shows each step.',
      scope: exampleScopes[audience],
      ...(key === null ? { redirectUris: [redirectUri(core)] } : { jwks: { keys: [{ ...key.public }] } }),
    },
    actor,
  )
}

/** Stores a new key pair if the app has none, because a start was cut short, or if the keyring cannot open it. */
async function ensureKey(core: Core, clientId: string): Promise<void> {
  const { prisma, keyring } = core
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM portal.client WHERE id = ${clientId} FOR UPDATE`
    const stored = await tx.launchExampleKey.findUnique({ where: { clientId } })
    if (stored !== null && keyring.openText(stored.sealed, keyContext(clientId)) !== null) return
    const key = await makeKey()
    const bytes = new TextEncoder().encode(JSON.stringify(key.private))
    const sealed = keyring.seal(bytes, keyContext(clientId))
    await tx.client.update({ where: { id: clientId }, data: { jwks: { keys: [{ ...key.public }] } } })
    await tx.launchExampleKey.upsert({
      where: { clientId },
      create: { clientId, sealed },
      update: { sealed },
    })
  })
}

/** No browser opens it: the server reads the redirect itself. */
export const redirectUri = ({ env }: Core) => `${env.PUBLIC_ORIGIN}/sandbox/launch/example`

/** https://www.rfc-editor.org/rfc/rfc7523#section-3 */
export async function signAssertion({ prisma, keyring, clock }: Core, clientId: string, audience: string) {
  const { sealed } = await prisma.launchExampleKey.findUniqueOrThrow({ where: { clientId } })
  const jwk = JSON.parse(new TextDecoder().decode(keyring.open(sealed, keyContext(clientId)))) as JWK
  const seconds = Math.floor(clock().getTime() / 1_000)
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES384', kid: String(jwk.kid), typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 120)
    .setJti(randomUUID())
    .sign(await importJWK(jwk, 'ES384'))
}

async function makeKey(): Promise<{ public: JWK; private: JWK }> {
  const pair = await generateKeyPair('ES384', { extractable: true })
  const kid = randomUUID()
  const parameters = { kid, alg: 'ES384', use: 'sig' }
  return {
    public: { ...(await exportJWK(pair.publicKey)), ...parameters },
    private: { ...(await exportJWK(pair.privateKey)), ...parameters },
  }
}
