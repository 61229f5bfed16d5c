/** Applies an approved request to the app's production registration, its limits or a key's term. Safe to repeat. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { RegistrationField, RegistrationForm } from '../../contract/workflows/registration-form.ts'
import type { RegistrationKind } from '../../contract/workflows/registration-workflow.ts'
import type { Env } from '../../env.ts'
import { findClientFaults } from '../clients/client-fields.ts'
import type { PublicJwks } from '../clients/client-types.ts'
import * as clients from '../clients/clients.ts'
import type { Core } from '../core.ts'
import { readForm } from './stored-form.ts'
import { registrationKind } from './transition.ts'

type Applied = Readonly<{
  /** The client to probe; null if the request is not about an app's registration. */
  clientId: string | null
  /** Restores the old configuration if the authorization server does not accept the new one. */
  undo: () => Promise<void>
}>

const undoNothing = async () => {}

const appliers: Record<RegistrationKind, (core: Core, row: Registration) => Promise<Applied>> = {
  app: registerApp,
  change: changeApp,
  limits: grantLimits,
  key_term: lengthenTerm,
}

export function applyApproved(core: Core, row: Registration): Promise<Applied> {
  return appliers[row.kind as RegistrationKind](core, row)
}

async function registerApp(core: Core, row: Registration): Promise<Applied> {
  const { prisma, randomBytes, clock } = core
  const fields = toClientFields(core, await submittedForm(core, row))
  const existing = await prisma.client.findUnique({
    where: { appId_environment: { appId: row.id, environment: 'production' } },
  })
  if (existing) {
    await clients.replace(core, existing.id, fields, null)
    return { clientId: existing.id, undo: undoNothing }
  }
  const clientId = `app-${Buffer.from(randomBytes(12)).toString('hex')}`
  try {
    await clients.create(
      core,
      {
        ...fields,
        clientId,
        appId: row.id,
        organizationId: row.organizationId,
        environment: 'production',
        everyPractice: true,
      },
      null,
    )
  } catch (thrown) {
    // Another job has registered the app in the meantime.
    if (isProblem(thrown) && thrown.kind === 'conflict') return registerApp(core, row)
    throw thrown
  }
  // The developers create a secret of their own: this first one was never shown.
  await prisma.clientSecret.updateMany({ where: { clientId }, data: { revokedAt: clock() } })
  return { clientId, undo: undoNothing }
}

/** Production uses the old configuration until now, and again if the new one is not accepted. */
async function changeApp(core: Core, row: Registration): Promise<Applied> {
  const { prisma } = core
  const parent = await prisma.registration.findUniqueOrThrow({ where: { id: row.parentId ?? row.id } })
  const clientId = parent.productionClientId
  if (!clientId) return { clientId: null, undo: undoNothing }
  const serving = await versionOf(core, parent.id, parent.servingNumber)
  await clients.replace(core, clientId, toClientFields(core, await submittedForm(core, row)), null)
  const undo = async () => {
    if (serving) await clients.replace(core, clientId, toClientFields(core, serving), null)
  }
  return { clientId, undo }
}

async function grantLimits(core: Core, row: Registration): Promise<Applied> {
  const { prisma, clock } = core
  const { burst, sustained } = row.requested as { burst: number; sustained: number }
  const subjectId = row.subjectId ?? ''
  const reason = row.reason ?? ''
  await prisma.$transaction(async (tx) => {
    const now = clock()
    if (!uuidPattern.test(subjectId)) {
      const limit = { burst, sustained, reason, createdAt: now }
      await tx.clientLimit.upsert({
        where: { clientId: subjectId },
        create: { clientId: subjectId, ...limit },
        update: limit,
      })
    } else {
      await tx.keyLimitGrant.updateMany({
        where: { keyId: subjectId, endedAt: null },
        data: { endedAt: now },
      })
      await tx.keyLimitGrant.create({
        data: {
          keyId: subjectId,
          burst,
          sustained,
          reason,
          grantedById: await approverOf(tx, row.id),
          createdAt: now,
        },
      })
      await tx.apiKey.update({ where: { id: subjectId }, data: { version: { increment: 1 } } })
    }
    await audit(core, tx, row, 'limits.granted', { burst, sustained })
  })
  return { clientId: null, undo: undoNothing }
}

async function lengthenTerm(core: Core, row: Registration): Promise<Applied> {
  const { prisma, clock } = core
  const { days } = row.requested as { days: number }
  await prisma.$transaction(async (tx) => {
    const key = await tx.apiKey.findUniqueOrThrow({ where: { id: row.subjectId ?? '' } })
    const until = new Date(clock().getTime() + days * 86_400_000)
    // A key that has ended or was rotated is not extended, and no term gets shorter.
    const lengthened = await tx.apiKey.updateMany({
      where: {
        id: key.id,
        revokedAt: null,
        rotatedAt: null,
        expiresAt: { gt: clock(), lt: until },
      },
      data: { expiresAt: until, remindedDays: null, version: { increment: 1 } },
    })
    if (lengthened.count > 0) await audit(core, tx, row, 'api_key.term_lengthened', { days })
  })
  return { clientId: null, undo: undoNothing }
}

async function audit(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  row: Registration,
  action: string,
  detail: Prisma.InputJsonObject,
): Promise<void> {
  await portalAudit.append(tx, {
    ...portalAudit.system(),
    organizationId: row.organizationId,
    action,
    subject: { kind: 'registration', id: row.id },
    detail: { ...detail, subjectId: row.subjectId },
  })
}

export async function submittedForm(core: Core, row: Registration): Promise<RegistrationForm> {
  return (await versionOf(core, row.id, row.submittedNumber)) ?? readForm(row.form)
}

async function versionOf({ prisma }: Core, registrationId: string, number: number | null) {
  if (number === null) return null
  const version = await prisma.registrationVersion.findUnique({
    where: { registrationId_number: { registrationId, number } },
  })
  return version && readForm(version.form)
}

async function approverOf(tx: Prisma.TransactionClient, registrationId: string): Promise<string> {
  const event = await tx.workflowEvent.findFirstOrThrow({
    where: { subjectKind: registrationKind, subjectId: registrationId, event: 'approve' },
    orderBy: { id: 'desc' },
    select: { actorId: true },
  })
  return event.actorId ?? ''
}

// The form as the authorization server's fields.

/** The client's fields that the form determines. The caller adds the organization and the environment. */
export function toClientFields({ env }: { env: Pick<Env, 'PUBLIC_ORIGIN'> }, form: RegistrationForm) {
  return {
    audience: form.audience,
    authentication: form.clientType,
    name: form.name,
    description: form.description,
    homepage: form.website || null,
    logoUrl: form.logo ? env.PUBLIC_ORIGIN + paths.logo(form.logo) : null,
    launchUrl: form.launchUrl || null,
    redirectUris: form.redirectUris,
    scope: form.scope,
    jwksUrl: form.jwksUrl || null,
    jwks: form.jwks ? (JSON.parse(form.jwks) as PublicJwks) : null,
  }
}

// Faults that keep a form from getting a sandbox client, as the authorization server names them.

type SandboxFault = Readonly<{ field: RegistrationField; message: string }>

/** Empty if saving the form gives it a sandbox client. */
export function findSandboxFaults(form: RegistrationForm): readonly SandboxFault[] {
  const jwks = form.jwks === '' || isJsonObject(form.jwks) ? form.jwks : '{}'
  // This server serves the logo, so its URL is never at fault.
  const fields = toClientFields({ env: { PUBLIC_ORIGIN: '' } }, { ...form, jwks, logo: '' })
  return findClientFaults({ ...fields, organizationId: null, environment: 'sandbox' }).map(
    ({ field, message }) => ({ field: formField(field), message }),
  )
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** The authorization server has names of its own for two fields. */
function formField(field: string): RegistrationField {
  const names: Readonly<Record<string, RegistrationField>> = {
    homepage: 'website',
    authentication: 'clientType',
  }
  return names[field] ?? (field as RegistrationField)
}
