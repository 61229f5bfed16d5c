/** Production keys: asked for, vouched for, agreements signed, reviewed, claimed, and kept to what they stand on. */
import { createAnswers } from './answers.ts'
import { createProductionClaims } from './claims.ts'
import type { ProductionDependencies } from './dependencies.ts'
import { createDocuments } from './documents.ts'
import { createDrafts } from './drafts.ts'
import { createDue } from './due.ts'
import { createReads } from './reads.ts'
import { createRecertifications } from './recertifications.ts'
import { createReviews } from './reviews.ts'
import { createSecurityProfiles } from './security-profiles.ts'
import { createSponsors } from './sponsors.ts'
import { createSuspensions } from './suspensions.ts'

export function createProductionKeys(core: ProductionDependencies) {
  const suspensions = createSuspensions(core)
  const documents = createDocuments(core, suspensions)
  const claims = createProductionClaims(core)
  const { suspend, reinstate, revoke, recheckIn, recheckAllIn } = suspensions
  return {
    profiles: createSecurityProfiles(core),
    ...createDrafts(core),
    sponsors: createSponsors(core, { documents, suspensions }),
    reviews: createReviews(core),
    ...createAnswers(core),
    ...claims,
    ...createReads(core),
    ...createRecertifications(core, suspensions),
    suspend,
    reinstate,
    revoke,
    recheckIn,
    recheckAllIn,
    /** To be told of every change of an agreement. */
    listen: documents.listen,
    ...createDue(core, { suspensions, claims }),
  }
}

export type ProductionKeys = ReturnType<typeof createProductionKeys>
