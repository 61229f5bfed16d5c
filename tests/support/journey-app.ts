/** Registered apps for journeys, and authorize requests as the interface leaves them behind. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type pg from 'pg'
import { hashToken, randomToken } from '../../server/auth/random-token.ts'
import { failures } from '../../server/domain/bulk-exports/export-runs.ts'
import { shownPractice } from './journey-people.ts'

export type JourneyApp = {
  clientId: string
  name: string
  audience: 'patient' | 'clinician' | 'backend'
  scope: string
  redirectUri: string
  authentication?: 'none' | 'client_secret_basic' | 'private_key_jwt'
  organizationId?: string
}

/** Registers the app for every sandbox practice; a second time it brings it up to date. */
export async function addApp(owner: pg.Pool, app: JourneyApp): Promise<void> {
  await owner.query(
    `INSERT INTO portal.client (id, app_id, organization_id, environment, audience, authentication, name, description,
       homepage, redirect_uris, scope, every_practice, created_at)
     VALUES ($1, gen_random_uuid(), $2, 'sandbox', $3::portal.client_audience, $4::portal.client_authentication, $5, '',
       'https://tidepath.example/', $6, $7, true, now())
     ON CONFLICT (id) DO UPDATE SET redirect_uris = EXCLUDED.redirect_uris, scope = EXCLUDED.scope`,
    [
      app.clientId,
      app.organizationId ?? null,
      app.audience,
      app.authentication ?? 'none',
      app.name,
      app.audience === 'backend' ? [] : [app.redirectUri],
      app.scope,
    ],
  )
}

/** Opens the app's request in the page's browser. @returns the path of the page that asks the person */
export async function openRequest(page: Page, origin: string, app: JourneyApp): Promise<string> {
  const iss = `${origin}/r4/${shownPractice}`
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    scope: app.scope,
    state: 'state-of-the-app',
    aud: iss,
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  })
  await page.goto(`${iss}/authorize?${request}`)
  const { pathname } = new URL(page.url())
  if (!pathname.startsWith('/authorize/')) throw new Error(`no request was opened: ${page.url()}`)
  return pathname
}

/** A backend system's request that waits for the shown practice. */
export async function addSystemRequest(
  owner: pg.Pool,
  { clientId, scope }: { clientId: string; scope: string },
): Promise<void> {
  await owner.query(
    `INSERT INTO portal.practice_system_authorization (id, practice_id, client_id, state, scope, purpose, requested_at)
     SELECT gen_random_uuid(), id, $1, 'requested', $2, 'Counts vaccinations every night for the quality report.', now()
       FROM portal.practice WHERE slug = $3`,
    [clientId, scope, shownPractice],
  )
}

/** What a person allowed the app an hour ago, with a token that is good. */
export async function addGrant(
  owner: pg.Pool,
  app: JourneyApp,
  { accountId, patientId }: { accountId: string; patientId: string | null },
): Promise<void> {
  const grantId = randomUUID()
  await owner.query(
    `INSERT INTO portal.grant (id, client_id, practice_id, audience, account_id, patient_id, scope, created_at, activated_at)
     SELECT $1, $2, id, $3::portal.client_audience, $4, $5, $6, now() - interval '1 hour', now() - interval '1 hour'
       FROM portal.practice WHERE slug = $7`,
    [grantId, app.clientId, app.audience, accountId, patientId, app.scope, shownPractice],
  )
  await owner.query(
    `INSERT INTO portal.access_token (id, token_hash, grant_id, scope, created_at, expires_at)
     VALUES (gen_random_uuid(), $1, $2, $3, now(), now() + interval '1 hour')`,
    [randomBytes(32), grantId, app.scope],
  )
}

/** A token of the system at the shown practice, as one that it was granted. */
export async function addExportToken(
  owner: pg.Pool,
  clientId: string,
): Promise<{ token: string; datasetId: number }> {
  const token = randomToken('access_token', randomBytes)
  const { rows } = await owner.query<{ datasetId: number }>(
    `WITH made AS (
       INSERT INTO portal.access_token (id, token_hash, grant_id, scope, created_at, expires_at)
       SELECT gen_random_uuid(), $2, g.id, g.scope, now(), now() + interval '5 minutes'
         FROM portal."grant" g WHERE g.client_id = $1 AND g.revoked_at IS NULL RETURNING 1)
     SELECT p.dataset_id AS "datasetId" FROM portal.practice p, made WHERE p.slug = $3`,
    [clientId, hashToken(token), shownPractice],
  )
  if (!rows[0]) throw new Error(`${clientId} has no grant`)
  return { token, datasetId: rows[0].datasetId }
}

/** One that is complete and one for which there was no room, as their runs leave them behind. */
export async function addEndedExports(owner: pg.Pool, clientId: string): Promise<void> {
  const file = { type: 'Immunization', count: 1_204, storedBytes: 90_000, gzip: true }
  for (const [state, failure, files] of [
    ['complete', null, [{ ...file, name: '1.Immunization.ndjson', bytes: 1_404_000 }]],
    ['failed', failures.disk_full, []],
  ] as const) {
    await owner.query(
      `INSERT INTO portal.bulk_export (id, practice_id, client_id, state, base, request, plan, since, created_at,
         attempt, written, total, ended_at, links_end_at, files, manifest, failure)
       SELECT gen_random_uuid(), id, $1, $2, '', '', $3, '2026-01-31T09:30:00Z', now(), 1, $4, $4, now(),
         now() + interval '1 day', $5, '{}', $6 FROM portal.practice WHERE slug = $7`,
      [
        clientId,
        state,
        JSON.stringify([{ type: 'Immunization', codes: null }]),
        files.reduce((sum, { count }) => sum + count, 0),
        JSON.stringify(files),
        failure,
        shownPractice,
      ],
    )
  }
}

/** The authorization request of an app that has no library. */
export function askFor(
  client_id: string,
  redirect_uri: string,
  aud: string,
  scope = 'launch/patient patient/Patient.rs',
): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope,
    state: 'as it was',
    aud,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
}
