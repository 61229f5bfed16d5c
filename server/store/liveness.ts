/**
 * Whether a credential is good *now*, decided by the very statement that fetches the data (decision 6), so that a
 * revocation holds on the next request at every process without a message. Ten tables say so; their triggers keep the
 * answer in one row of clinical.live (decision 166), which the statement joins by its key.
 */

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
  readonly kind: 'none' | 'credential' | 'credential_begun'
  /** A boolean expression. */
  readonly text: string
  readonly values: readonly unknown[]
}

/** @param taken how many parameters of the statement stand before the liveness's own. */
export function livenessSql(liveness: Liveness, taken: number): LivenessSql {
  if (liveness.kind === 'none') return { kind: 'none', text: 'true', values: [] }
  const at = (position: number) => `$${taken + position}`
  const places = {
    credential: `${at(1)}::uuid`,
    practice: `${at(2)}::uuid`,
    dataset: `${at(3)}::int`,
    believed: `${at(4)}::text`,
    now: `${at(5)}::timestamptz`,
  }
  return {
    kind: liveness.begun ? 'credential_begun' : 'credential',
    text: credentialSql(places, liveness.begun),
    values: [
      credentialOf(liveness),
      liveness.practiceId,
      liveness.datasetId,
      believedOf(liveness),
      liveness.now,
    ],
  }
}

/**
 * A row `live.ok` for the FROM of a statement. Without `OFFSET 0` PostgreSQL puts the expression in place of each
 * mention of `live.ok` and decides it again for every one.
 */
export function liveRow({ text }: LivenessSql): string {
  return `(SELECT ${text} AS ok OFFSET 0) live`
}

export type Credential = Exclude<Liveness, { kind: 'none' }>

export function credentialOf(liveness: Credential): string {
  return liveness.kind === 'api_key' ? liveness.keyId : liveness.tokenId
}

/** As portal.live_source writes it. */
export function believedOf(liveness: Credential): string {
  return liveness.kind === 'api_key'
    ? `version ${liveness.keyVersion}`
    : `types ${(liveness.typesAllowed ?? []).join()}`
}

/** Where a statement has what the cached principal believes. */
type Places = Readonly<Record<'credential' | 'practice' | 'dataset' | 'believed' | 'now', string>>

/** A boolean expression, for one credential or for each row of a list of them. */
export function credentialSql(
  { credential, practice, dataset, believed, now }: Places,
  begun?: true,
): string {
  return `EXISTS (
          SELECT 1 FROM clinical.live l
          WHERE l.credential = ${credential} AND ${datasetSql(dataset, begun)} AND l.practice_id = ${practice}
            AND l.believed = ${believed} AND l.good_until > ${now})`
}

/** Whether the practice has the data, or had it when the answer began. */
function datasetSql(dataset: string, begun: true | undefined): string {
  const has = `l.dataset_id = ${dataset}`
  return begun
    ? `(${has} OR EXISTS (SELECT 1 FROM clinical.dataset d WHERE d.id = ${dataset} AND d.state = 'ready'))`
    : has
}
