/** What is written down about a token that the portal issued, beside its audit: the app's activity, the practice's record. */
import type { Client } from '../../../prisma/generated/client/client.ts'
import type { LogRecord } from '../../audit/log-rows.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import type { SmartPractice } from '../../domain/practices/fhir-access.ts'

type Issue = Readonly<{
  client: Client
  practice: SmartPractice
  patientId: string | null
  actor: Actor
}>

export async function recordIssue(
  { recorder, clock }: Core,
  { client, practice, patientId, actor }: Issue,
): Promise<void> {
  const { ip, correlationId } = actor
  const at = clock()
  const record: LogRecord = {
    activity: {
      at,
      door: 'smart',
      environment: practice.environment,
      keyId: null,
      clientId: client.id,
      claimedPrefix: null,
      practiceId: practice.id,
      method: 'POST',
      route: '/organizations/{organization}/apps/{client}/token',
      status: 200,
      ip,
      correlationId,
      clientCorrelationId: null,
      durationMs: 0,
      refusal: null,
      fromBrowser: false,
    },
    access: {
      at,
      practiceId: practice.id,
      principalKind: 'smart_token',
      principalId: client.id,
      action: 'token',
      resourceType: null,
      patientId,
      count: 0,
      purpose: 'operations',
      outcome: 'served',
      correlationId,
    },
  }
  // The token is in the database already: without the row it is still in the audit of the portal.
  await recorder.commit(record).catch(() => recorder.note(record))
}
