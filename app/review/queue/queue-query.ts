/** The queue's filters in the URL, which the links between the list and each request pass on. */
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type QueueStage,
  type QueueView,
  queueStages,
  queueViews,
  type ReviewKind,
  type ReviewNoun,
  reviewKinds,
} from '../../../server/contract/workflows/review-queue.ts'
import type { QueueAsk } from '../../../server/domain/review-queue/queue.ts'

export function readQueueAsk(query: URLSearchParams): QueueAsk {
  return {
    ...readPageAsk(query),
    view: known(queueViews, query.get('view')) ?? 'all',
    stage: known(queueStages, query.get('stage')) ?? 'waiting',
    kind: known(reviewKinds, query.get('kind')),
  }
}

function known<Name extends string>(table: Readonly<Record<Name, string>>, name: string | null): Name | null {
  return name !== null && Object.hasOwn(table, name) ? (name as Name) : null
}

type QueueChanges = Partial<{ view: QueueView; stage: QueueStage; kind: ReviewKind | null; page: number }>

/** The query string of the queue, with changes; empty for the queue without filters. */
export function queueQuery(ask: QueueAsk, changes: QueueChanges = {}): string {
  const { view, stage, kind, q, page } = { ...ask, page: 1, ...changes }
  const query = new URLSearchParams({
    ...(view === 'all' ? {} : { view }),
    ...(stage === 'waiting' ? {} : { stage }),
    ...(kind === null ? {} : { kind }),
    ...(q === '' ? {} : { q }),
    ...(page === 1 ? {} : { page: String(page) }),
  })
  return query.size === 0 ? '' : `?${query}`
}

/** The page of a request. */
export function requestPath({ noun, id }: Readonly<{ noun: ReviewNoun; id: string }>): string {
  if (noun === 'registration') return paths.reviewRegistration(id)
  return noun === 'production_key_request' ? paths.reviewProductionKey(id) : paths.keyReview(id)
}
