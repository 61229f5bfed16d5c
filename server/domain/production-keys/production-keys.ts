/** Production keys: asked for, vouched for, papers signed, reviewed, claimed, and kept to what they stand on. */
import { createAnswers } from './answers.ts'
import { createProductionClaims } from './claims.ts'
import { createDocuments } from './documents.ts'
import { createDrafts } from './drafts.ts'
import { createDue } from './due.ts'
import { createReads } from './reads.ts'
import { createRecertifications } from './recertifications.ts'
import { createReviews } from './reviews.ts'
import type { ProductionRooms } from './rooms.ts'
import { createSecurityProfiles } from './security-profiles.ts'
import { createSponsors } from './sponsors.ts'
import { createSuspensions } from './suspensions.ts'

export function createProductionKeys(rooms: ProductionRooms) {
  const suspensions = createSuspensions(rooms)
  const documents = createDocuments(rooms, suspensions)
  const claims = createProductionClaims(rooms)
  const { suspend, reinstate, revoke, recheckIn, recheckAllIn } = suspensions
  return {
    profiles: createSecurityProfiles(rooms),
    ...createDrafts(rooms),
    sponsors: createSponsors(rooms, { documents, suspensions }),
    reviews: createReviews(rooms),
    ...createAnswers(rooms),
    ...claims,
    ...createReads(rooms),
    ...createRecertifications(rooms, suspensions),
    suspend,
    reinstate,
    revoke,
    recheckIn,
    recheckAllIn,
    /** To be told of every change of an agreement. */
    listen: documents.listen,
    ...createDue(rooms, { suspensions, claims }),
    walk: rooms.walk,
  }
}

export type ProductionKeys = ReturnType<typeof createProductionKeys>
