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
type Step = readonly [action: string, event: string, state: string, role: string]

/** Every state with the steps that led to it. */
export const stepsTo = (table: Audited): readonly (readonly Step[])[] => {
  const steps: readonly Step[] = audited[table]
  const declined: readonly Step[] = [
    ...steps.slice(0, 2),
    ['sandbox_key.declined', 'decline', 'declined', 'reviewer'],
  ]
  const ways = steps.map((_, place) => steps.slice(0, place + 1))
  return table === 'sandbox_key_request' ? [...ways, declined] : ways
}
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
  const eventsAfter = (id: string, steps: readonly Step[]) =>
    steps.map(([, event, to, actor_kind], place) => ({
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
      await insert('grant', {
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

  /** Apps of each environment, kind and state, with a grant in each of its states. */
  async function makeApps(): Promise<void> {
    const grants = {
      code_not_exchanged: {},
      active: { activated_at: at },
      ...Object.fromEntries(
        ['person', 'practice', 'app', 'code_replay', 'refresh_reuse', 'client_removed'].map((reason) => [
          reason,
          { activated_at: at, revoked_at: at, revoke_reason: reason },
        ]),
      ),
    }
    for (const environment of ['sandbox', 'production'])
      for (const audience of ['patient', 'clinician', 'backend'])
        for (const dates of [{}, { suspended_at: at }, { removed_at: at }]) {
          const id = randomUUID()
          await insert('client', {
            id: `app-${id}`,
            app_id: id,
            organization_id: organizationId,
            environment,
            audience,
            authentication: audience === 'backend' ? 'private_key_jwt' : 'none',
            name: 'Tidepath',
            redirect_uris: audience === 'backend' ? [] : ['https://app.tidepath.example/callback'],
            scope: 'launch/patient patient/Observation.rs',
            created_at: at,
            ...dates,
          })
          for (const state of Object.values(grants))
            await insert('grant', {
              id: randomUUID(),
              client_id: `app-${id}`,
              practice_id: practiceId,
              audience,
              account_id: audience === 'backend' ? null : accountId,
              scope: 'patient/Observation.rs',
              patient_id: audience === 'patient' ? 'ada' : null,
              created_at: at,
              ...state,
            })
        }
  }

  /** What belongs to a request, an agreement or a registration in tables of its own. */
  async function makeParts(kind: 'production_key_request' | 'registration' | 'agreement', of: string) {
    const question = { id: randomUUID(), round: 1, code: 'link_broken', text: 'Which page?', asked_at: at }
    const answered = { ...question, id: randomUUID(), answer: 'The first.', answered_at: at }
    if (kind === 'production_key_request') {
      await insert('production_key_item', { ...question, request_id: of })
      await insert('production_key_item', { ...answered, request_id: of })
      const cause = { request_id: of, cause: 'practice', reason: 'For a while.', by_id: adminId, at }
      await insert('production_key_suspension', { id: randomUUID(), ...cause })
      await insert('production_key_suspension', { id: randomUUID(), ...cause, ended_at: at })
    } else if (kind === 'registration') {
      await insert('registration_item', { ...question, registration_id: of, asked_by_id: adminId })
      await insert('registration_item', { ...answered, registration_id: of, asked_by_id: adminId })
      const times = { received_on: '2026-11-20', due_on: '2026-11-30', due_at: '2026-12-01T04:59:59.000Z' }
      for (const state of [{}, { paused_on: '2026-11-24', remaining: 3 }, { stopped_at: at }]) {
        const id = randomUUID()
        await insert('registration_clock', {
          id,
          registration_id: of,
          kind: 'promise',
          days: 5,
          started_at: at,
          ...times,
          ...state,
        })
        await insert('registration_pause', { id: randomUUID(), clock_id: id, paused_at: at, remaining: 3 })
      }
    } else {
      const signer = { agreement_id: of, account_id: accountId, legal_name: 'Robin Testwell', title: 'CEO' }
      await insert('agreement_signatory', { ...signer, side: 'developer' })
      await insert('agreement_signature', {
        ...signer,
        id: randomUUID(),
        number: 1,
        side: 'developer',
        authority: 'I may sign.',
        consent: 'I sign here.',
        sha256: 'x',
        at,
      })
      await insert('agreement_version', {
        agreement_id: of,
        number: 1,
        source: 'template',
        fields: {},
        file_name: 'baa.pdf',
        bytes: Buffer.from('%PDF'),
        sha256: 'x',
        created_at: at,
      })
      await insert('agreement_return_task', { agreement_id: of, opened_at: at, due_at: at })
    }
  }

  return { auditRow, eventsAfter, detailOf, makeAudited, makeApps, makeKeys, makeParts }
}
