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
    }

export const noLiveness: Liveness = { kind: 'none' }

export interface LivenessSql {
  /** Goes into statement names: one text per kind. */
  readonly kind: Liveness['kind']
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
        kind: 'api_key',
        text: apiKeySql({
          key: `${at(1)}::uuid`,
          practice: `${at(2)}::uuid`,
          dataset: `${at(3)}::int`,
          now: `${at(4)}::timestamptz`,
          version: `${at(5)}::int`,
        }),
        values: [liveness.keyId, liveness.practiceId, liveness.datasetId, liveness.now, liveness.keyVersion],
      }
    case 'smart_token':
      return {
        kind: 'smart_token',
        text: smartTokenSql({
          token: `${at(1)}::uuid`,
          practice: `${at(2)}::uuid`,
          dataset: `${at(3)}::int`,
          types: `${at(4)}::text[]`,
          now: `${at(5)}::timestamptz`,
        }),
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

/** Where a statement has what the cached principal believes. */
type Places<Name extends string> = Readonly<Record<Name | 'practice' | 'dataset' | 'now', string>>

/** A boolean expression, for one key or for each row of a list of them. */
export function apiKeySql({ key, practice, dataset, now, version }: Places<'key' | 'version'>): string {
  return `EXISTS (
          SELECT 1 FROM portal.api_key k JOIN portal.practice p ON p.id = k.practice_id
          WHERE k.id = ${key} AND p.id = ${practice} AND p.dataset_id = ${dataset}
            AND k.revoked_at IS NULL AND k.suspended_at IS NULL AND k.expires_at > ${now}
            AND (k.papers_until IS NULL OR k.papers_until > ${now})
            AND p.state = 'active' AND k.version = ${version} AND ${explorerSessionSql('k', now)})`
}

/** A boolean expression, for one token or for each row of a list of them. */
export function smartTokenSql({ token, practice, dataset, types, now }: Places<'token' | 'types'>): string {
  return `EXISTS (
          SELECT 1 FROM portal.access_token t JOIN portal."grant" g ON g.id = t.grant_id
            JOIN portal.client c ON c.id = g.client_id JOIN portal.practice p ON p.id = g.practice_id
            LEFT JOIN portal.account a ON a.id = g.account_id
          WHERE t.id = ${token} AND p.id = ${practice} AND p.dataset_id = ${dataset}
            AND p.fhir_types = ${types} AND t.expires_at > ${now}
            AND t.revoked_at IS NULL AND g.revoked_at IS NULL AND a.disabled_at IS NULL
            AND c.suspended_at IS NULL AND c.removed_at IS NULL AND ${clientAtPracticeSql}
            AND ${personAtPracticeSql} AND ${explorerGrantSql(now)}
            AND p.state = 'active' AND p.fhir_enabled AND g.audience = ANY (p.fhir_audiences))`
}
