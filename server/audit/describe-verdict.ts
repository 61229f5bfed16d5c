/** Verdicts on the audit chain and on the record of access as lines for an operator. */
import type { AccessVerdict } from './access-seal.ts'
import type { Verdict } from './verify-chain.ts'

export function describeVerdict(verdict: Verdict): string[] {
  const proven = `proven up to row ${verdict.provenTo}`
  if (!verdict.intact) return [`broken at row ${verdict.number}: ${verdict.reason}`, proven]
  const { sealed, waiting, heads, unkeyed } = verdict
  return [
    `intact: ${sealed} rows sealed, ${waiting} waiting, ${heads} heads agree`,
    proven,
    ...(unkeyed > 0
      ? [`${unkeyed} rows were sealed without a key by an earlier release; the heads cover them`]
      : []),
  ]
}

export function describeAccess(verdict: AccessVerdict): string {
  return verdict.intact
    ? `record of access intact: ${verdict.rows} rows in ${verdict.seals} seals, up to row ${verdict.end.access}`
    : `record of access broken at the seal in row ${verdict.seal}: ${verdict.reason}`
}
