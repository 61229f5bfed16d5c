import { expect, test } from 'vitest'
import { productionQueueStates } from './production-key-workflow.ts'
import { queueStates } from './registration-workflow.ts'
import { reviewStates, waitingOn } from './waiting-on.ts'

test('what waits for a reviewer follows from the tables', () => {
  expect(reviewStates('registration').toSorted()).toEqual([...queueStates].toSorted())
  expect(reviewStates('production_key_request').toSorted()).toEqual([...productionQueueStates].toSorted())
  expect(reviewStates('sandbox_key_request')).toEqual(['manual_review'])
  expect(reviewStates('agreement')).toEqual([])
  expect(reviewStates('system_authorization')).toEqual([])
})

test('a state says who has the next step', () => {
  expect(waitingOn('registration', 'needs_info')).toBe('developer')
  expect(waitingOn('production_key_request', 'sponsor_invited')).toBe('practice')
  expect(waitingOn('agreement', 'offered')).toBe('both')
  expect(waitingOn('sandbox_key_request', 'ready_to_claim')).toBe('developer')
  expect(waitingOn('system_authorization', 'requested')).toBe('practice')
  expect(waitingOn('system_authorization', 'granted')).toBe('nobody')
})
