/**
 * What a release without events for requests of sandbox keys and authorizations of backend systems leaves in its
 * database, and the timeline that has to be read from it.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'

/** What the release before left of each step: an audit row. By the state that follows each. */
export const audited = {
  sandbox_key_request: [
    ['sandbox_key.requested', 'request', 'requested', 'owner'],
    ['sandbox_key.flagged', 'flag', 'manual_review', 'system'],
    ['sandbox_key.info_requested', 'request_info', 'needs_info', 'reviewer'],
    ['sandbox_key.resubmitted', 'resubmit', 'manual_review', 'owner'],
    ['sandbox_key.approved', 'approve', 'approved', 'reviewer'],
    ['sandbox_key.provisioned', 'provision', 'ready_to_claim', 'system'],
    ['sandbox_key.claim_expired', 'claim_lapse', 'claim_expired', 'system'],
    ['sandbox_key.claim_reissued', 'reissue', 'ready_to_claim', 'owner'],
    ['sandbox_key.revealed', 'reveal', 'active', 'owner'],
  ],
  practice_system_authorization: [
    ['system_authorization.requested', 'request', 'requested', 'owner'],
    ['system_authorization.declined', 'decline', 'declined', 'practice_admin'],
    ['system_authorization.requested', 'request', 'requested', 'owner'],
    ['system_authorization.granted', 'grant', 'granted', 'practice_admin'],
    ['system_authorization.revoked', 'revoke', 'revoked', 'practice_admin'],
  ],
} as const
export type Audited = keyof typeof audited
const kindOf = (table: Audited) =>
  table === 'sandbox_key_request' ? 'sandbox_key_request' : 'system_authorization'

type Older = Readonly<{
  at: string
  /** An owner of the organization, and an admin of the practice. */
  accountId: string
  adminId: string
  organizationId: string
  practiceId: string
  insert: (table: string, values: Record<string, unknown>) => Promise<void>
}>

export function olderRelease({ at, accountId, adminId, organizationId, practiceId, insert }: Older) {
  function auditRow(table: Audited, id: string, [action, event, , role]: readonly string[], detail: object) {
    const isReveal = event === 'reveal'
    return {
      at,
      actor_kind: role === 'system' ? 'system' : 'account',
      actor_id: role === 'system' ? null : role === 'practice_admin' ? adminId : accountId,
      organization_id: organizationId,
      practice_id: practiceId,
      action,
      subject_kind: isReveal ? 'api_key' : kindOf(table),
      subject_id: isReveal ? randomUUID() : id,
      detail: isReveal ? { ...detail, requestId: id } : detail,
    }
  }

  /** The steps as the timeline has them: each goes on where the one before ended. */
  const eventsAfter = (table: Audited, id: string, count: number) =>
    audited[table].slice(0, count).map(([, event, to, actor_kind], place, steps) => ({
      subject: id,
      at: expect.any(String),
      event,
      from: steps[place - 1]?.[2] ?? null,
      to,
      actor_kind,
      actor_id: actor_kind === 'system' ? null : actor_kind === 'practice_admin' ? adminId : accountId,
      side: null,
      codes: event === 'request_info' ? ['real_data'] : [],
      text: event === 'decline' ? 'Not needed here.' : null,
      detail: {},
      idempotency_key: null,
    }))

  const detailOf = (event: string) =>
    event === 'request_info'
      ? { codes: ['real_data'] }
      : event === 'decline'
        ? { reason: 'Not needed here.' }
        : {}

  async function makeAudited(table: Audited, state: string): Promise<string> {
    const id = randomUUID()
    if (table === 'sandbox_key_request')
      await insert(table, {
        id,
        state,
        organization_id: organizationId,
        requested_by_id: accountId,
        name: 'Nightly import',
        project_description: 'Results of synthetic people.',
        technical_contact: 'robin@samplewood.example',
        level: 'read_only',
        terms_version: '1',
        terms_sha256: 'x',
        idempotency_key: id,
        practice_id: practiceId,
        claim_expires_at: '2026-11-23T17:00:00.000Z',
        created_at: at,
        updated_at: at,
      })
    else {
      await makeApp(id)
      await insert(table, {
        id,
        state,
        practice_id: practiceId,
        client_id: `app-${id}`,
        scope: 'system/Patient.rs',
        purpose: 'A nightly report.',
        requested_at: at,
      })
    }
    return id
  }

  /** An app with a grant that holds and one that has ended, and its key in one of the states of a key. */
  async function makeApp(id: string): Promise<void> {
    await insert('client', {
      id: `app-${id}`,
      app_id: id,
      organization_id: organizationId,
      environment: 'production',
      audience: 'backend',
      authentication: 'private_key_jwt',
      name: 'Tidepath reports',
      redirect_uris: [],
      scope: 'system/Patient.rs',
      created_at: at,
    })
    for (const revoked of [null, at])
      await insert('"grant"', {
        id: randomUUID(),
        client_id: `app-${id}`,
        practice_id: practiceId,
        audience: 'backend',
        scope: 'system/Patient.rs',
        created_at: at,
        revoked_at: revoked,
      })
  }

  async function makeKeys(): Promise<void> {
    const states = {
      active: {},
      suspended: { suspended_at: at },
      revoked: { revoked_at: at },
      rotated: { rotated_at: at },
    }
    for (const [name, dates] of Object.entries({ ...states, expired: { expires_at: at } }))
      await insert('api_key', {
        id: randomUUID(),
        prefix: `svc_t${name.padEnd(7, '0').slice(0, 7)}`,
        secret_hash: Buffer.from(name),
        name,
        level: 'read_only',
        environment: 'sandbox',
        practice_id: practiceId,
        organization_id: organizationId,
        created_by_id: accountId,
        created_at: at,
        expires_at: '2027-02-20T17:00:00.000Z',
        ...dates,
      })
  }

  return { auditRow, eventsAfter, detailOf, makeAudited, makeKeys }
}
