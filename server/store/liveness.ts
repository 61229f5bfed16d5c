/**
 * Whether a credential is good *now*, decided by the very statement that fetches the data (decision 6),
 * so that a revocation holds on the next request at every process without a message.
 */
import { clientAtPracticeSql } from './client-at-practice.ts'
import { explorerGrantSql } from './explorer-grant.ts'
import { explorerSessionSql } from './explorer-session.ts'
import { personAtPracticeSql } from './person-at-practice.ts'

export type Liveness =
  /** Seeds, imports and tools inside the process: nobody's credential. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'api_key'
      readonly keyId: string
      /** What the cached principal believes; false when networks or limits of the key have changed since. */
      readonly keyVersion: number
      readonly practiceId: string
      /** What the cached principal believes; false when the practice has moved to another dataset since. */
      readonly datasetId: number
      /** The injected clock's now. */
      readonly now: Date
      readonly begun?: true
    }
  | {
      readonly kind: 'smart_token'
      readonly tokenId: string
      readonly practiceId: string
      /** What the cached principal believes, as above. */
      readonly datasetId: number
      /** What the cached principal believes the practice lets out; false when its policy has changed since. */
      readonly typesAllowed: readonly string[] | null
      readonly now: Date
      readonly begun?: true
    }

export const noLiveness: Liveness = { kind: 'none' }

/**
 * For the further statements of an answer whose first one was good: the credential still has to be, but when the
 * practice has moved meanwhile, the answer goes on with the data that it began with, for as long as that is kept.
 */
export function begunWith(liveness: Liveness): Liveness {
  return liveness.kind === 'none' ? liveness : { ...liveness, begun: true }
}

export interface LivenessSql {
  /** Goes into statement names: one text per kind. */
  readonly kind: Liveness['kind'] | 'api_key_begun' | 'smart_token_begun'
  /** A boolean expression. */
  readonly text: string
  readonly values: readonly unknown[]
}

/** @param taken how many parameters of the statement stand before the liveness's own. */
export function livenessSql(liveness: Liveness, taken: number): LivenessSql {
  const at = (position: number) => `$${taken + position}`
  switch (liveness.kind) {
    case 'none':
      return { kind: 'none', text: 'true', values: [] }
    case 'api_key':
      return {
        kind: liveness.begun ? 'api_key_begun' : 'api_key',
        text: apiKeySql(
          {
            key: `${at(1)}::uuid`,
            practice: `${at(2)}::uuid`,
            dataset: `${at(3)}::int`,
            now: `${at(4)}::timestamptz`,
            version: `${at(5)}::int`,
          },
          liveness.begun,
        ),
        values: [liveness.keyId, liveness.practiceId, liveness.datasetId, liveness.now, liveness.keyVersion],
      }
    case 'smart_token':
      return {
        kind: liveness.begun ? 'smart_token_begun' : 'smart_token',
        text: smartTokenSql(
          {
            token: `${at(1)}::uuid`,
            practice: `${at(2)}::uuid`,
            dataset: `${at(3)}::int`,
            types: `${at(4)}::text[]`,
            now: `${at(5)}::timestamptz`,
          },
          liveness.begun,
        ),
        values: [
          liveness.tokenId,
          liveness.practiceId,
          liveness.datasetId,
          liveness.typesAllowed ?? [],
          liveness.now,
        ],
      }
  }
}

/**
 * A row `live.ok` for the FROM of a statement. Without `OFFSET 0` PostgreSQL puts the expression in place of each
 * mention of `live.ok` and decides it again for every one: a FHIR read then costs two thirds more.
 */
export function liveRow({ text }: LivenessSql): string {
  return `(SELECT ${text} AS ok OFFSET 0) live`
}

/** Where a statement has what the cached principal believes. */
type Places<Name extends string> = Readonly<Record<Name | 'practice' | 'dataset' | 'now', string>>

/** Whether the practice has the data, or had it when the answer began. */
function datasetSql(dataset: string, begun: true | undefined): string {
  const has = `p.dataset_id = ${dataset}`
  return begun
    ? `(${has} OR EXISTS (SELECT 1 FROM clinical.dataset d WHERE d.id = ${dataset} AND d.state = 'ready'))`
    : has
}

/** A boolean expression, for one key or for each row of a list of them. */
export function apiKeySql(
  { key, practice, dataset, now, version }: Places<'key' | 'version'>,
  begun?: true,
): string {
  return `EXISTS (
          SELECT 1 FROM portal.api_key k JOIN portal.practice p ON p.id = k.practice_id
          WHERE k.id = ${key} AND p.id = ${practice} AND ${datasetSql(dataset, begun)}
            AND k.revoked_at IS NULL AND k.suspended_at IS NULL AND k.expires_at > ${now}
            AND (k.papers_until IS NULL OR k.papers_until > ${now})
            AND p.state = 'active' AND k.version = ${version} AND ${explorerSessionSql('k', now)})`
}

/** A boolean expression, for one token or for each row of a list of them. */
export function smartTokenSql(
  { token, practice, dataset, types, now }: Places<'token' | 'types'>,
  begun?: true,
): string {
  return `EXISTS (
          SELECT 1 FROM portal.access_token t JOIN portal."grant" g ON g.id = t.grant_id
            JOIN portal.client c ON c.id = g.client_id JOIN portal.practice p ON p.id = g.practice_id
            LEFT JOIN portal.account a ON a.id = g.account_id
          WHERE t.id = ${token} AND p.id = ${practice} AND ${datasetSql(dataset, begun)}
            AND p.fhir_types = ${types} AND t.expires_at > ${now}
            AND t.revoked_at IS NULL AND g.revoked_at IS NULL AND a.disabled_at IS NULL
            AND c.suspended_at IS NULL AND c.removed_at IS NULL AND ${clientAtPracticeSql}
            AND ${personAtPracticeSql} AND ${explorerGrantSql(now)}
            AND p.state = 'active' AND p.fhir_enabled AND g.audience = ANY (p.fhir_audiences))`
}
