/** Rows of a large installation, written by the owner of the tables: the services would take minutes to make them. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** Production practices in the directory, “Placeholder Practice 1” and so on. */
export async function addPractices(owner: pg.Pool, count: number): Promise<void> {
  await owner.query(
    `INSERT INTO portal.practice
       (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
     SELECT gen_random_uuid(), 'placeholder-' || n, 'Placeholder Practice ' || n, 'production', true, true, 'office',
            (SELECT dataset_id FROM portal.practice WHERE slug = 'sandpiper-demonstration'), now()
     FROM generate_series(1, $1::int) AS n`,
    [count],
  )
}

/**
 * 5,000 apps with registrations, 300 keys and 300 open key requests of one organization, and 9,700 keys without one.
 * @param organizationId of an organization that exists; null makes one
 */
export async function addLargeOrganization(
  owner: pg.Pool,
  organizationId: string | null,
  accountId: string,
): Promise<void> {
  const run = randomUUID().slice(0, 8)
  const id = organizationId ?? randomUUID()
  if (organizationId === null)
    await owner.query(
      `INSERT INTO portal.organization (id, slug, name, created_by_id, created_at)
       VALUES ($1, $2, 'Samplewood Health Apps', $3, now())`,
      [id, `large-${run}`, accountId],
    )
  await owner.query(
    `INSERT INTO portal.client
       (id, app_id, organization_id, environment, audience, authentication, name, redirect_uris, scope, created_at)
     SELECT 'tidepath-' || $3 || '-' || n, gen_random_uuid(), $1, 'sandbox',
            (CASE WHEN n % 2 = 0 THEN 'backend' ELSE 'patient' END)::portal.client_audience,
            (CASE WHEN n % 2 = 0 THEN 'private_key_jwt' ELSE 'none' END)::portal.client_authentication,
            'Tidepath ' || n, '{}', 'system/*.rs', now() - n * interval '1 second'
     FROM generate_series(1, 5000) AS n WHERE $2::text IS NOT NULL`,
    [id, accountId, run],
  )
  await owner.query(
    `INSERT INTO portal.registration
       (id, kind, organization_id, created_by_id, name, state, form, sandbox_client_id, created_at, updated_at)
     SELECT gen_random_uuid(), 'app', $1, $2, 'Tidepath ' || n, 'draft', '{}', 'tidepath-' || $3 || '-' || n, now(), now()
     FROM generate_series(1, 5000) AS n`,
    [id, accountId, run],
  )
  await owner.query(
    `INSERT INTO portal.api_key
       (id, prefix, secret_hash, name, level, environment, practice_id, organization_id, created_by_id, created_at,
        expires_at)
     SELECT gen_random_uuid(), 'svc_' || $3 || n, sha256(('large ' || $3 || n)::bytea), 'Import ' || n, 'read_only',
            'sandbox', (SELECT id FROM portal.practice WHERE slug = 'sandpiper-demonstration'),
            CASE WHEN n <= 300 THEN $1::uuid END, $2, now() - n * interval '1 second', now() + interval '60 days'
     FROM generate_series(1, 10000) AS n`,
    [id, accountId, run],
  )
  await owner.query(
    `INSERT INTO portal.sandbox_key_request
       (id, organization_id, requested_by_id, name, project_description, technical_contact, level, terms_version,
        terms_sha256, state, idempotency_key, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2, 'Nightly ' || n, 'Reads the patients of one practice.',
            'kim@samplewood.example', 'read_only', '1.0', repeat('0', 64), 'needs_info', 'large ' || $3 || n,
            now() - n * interval '1 second', now()
     FROM generate_series(1, 300) AS n`,
    [id, accountId, run],
  )
}
