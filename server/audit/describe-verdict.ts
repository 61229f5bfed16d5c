/** A verdict on the audit chain as lines for an operator. */
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
