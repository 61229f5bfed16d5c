/** A key's life in the sandbox: asked for, provided, claimed, listed, revoked (workflows §3). */
import { createClaims } from './claims.ts'
import type { KeyDependencies } from './dependencies.ts'
import { tick } from './due.ts'
import { createKeyActivity } from './key-activity.ts'
import { createKeyDoctor } from './key-doctor.ts'
import { createKeyExpiry } from './key-expiry.ts'
import { createKeyLimitGrants } from './key-limit-grants.ts'
import { createKeyList } from './key-list.ts'
import { createKeyMcpWrites } from './key-mcp-writes.ts'
import { createKeyNetworks } from './key-networks.ts'
import { createKeyRequests } from './key-requests.ts'
import { createKeyReview } from './key-review.ts'
import { createLeakReport } from './leak-report.ts'
import { createMailDrafts } from './mail-drafts.ts'
import { createRevokeKey } from './revoke-key.ts'
import { createRotation } from './rotate-key.ts'

export function createKeys(dependencies: KeyDependencies) {
  const requests = createKeyRequests(dependencies)
  return {
    ...requests,
    ...createMailDrafts(dependencies, requests.requestSandboxKey),
    ...createKeyReview(dependencies),
    diagnose: createKeyDoctor(dependencies),
    reportLeak: createLeakReport(dependencies),
    ...createClaims(dependencies),
    ...createKeyList(dependencies),
    ...createKeyActivity(dependencies),
    ...createRotation(dependencies),
    ...createKeyExpiry(dependencies),
    ...createKeyLimitGrants(dependencies),
    setNetworks: createKeyNetworks(dependencies),
    setMcpWrites: createKeyMcpWrites(dependencies),
    revoke: createRevokeKey(dependencies),
    /** Whatever is due for requests. @returns steps made */
    tick: (now: Date) => tick(dependencies, now),
  }
}

export type Keys = ReturnType<typeof createKeys>
