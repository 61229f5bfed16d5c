/** The desk of reviewers: their queue and who does what of it. */
import { type Core, withCore } from '../core.ts'
import { reviewQueue } from '../review-clocks/review-queue.ts'
import * as reviewAbsences from './absences.ts'
import { assign as assignRequests } from './assign.ts'
import * as reviewQueues from './queue.ts'
import * as savedReplies from './saved-replies.ts'
import * as reviewWorkload from './workload.ts'

export function bindReviewDesk(core: Core) {
  return {
    ...withCore(core, { reviewQueue, assignRequests }),
    reviewAbsences: withCore(core, reviewAbsences),
    reviewQueues: withCore(core, reviewQueues),
    reviewWorkload: withCore(core, reviewWorkload),
    savedReplies: withCore(core, savedReplies),
  }
}
