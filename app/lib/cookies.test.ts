import { expect, test } from 'vitest'
import { clearDoneCookie, type Done, doneCookie, findDone } from './flash.ts'
import { instantIn } from './zone.ts'

const sent = (done: Done) => doneCookie(done).split(';')[0] ?? ''

test('a made-up message is never said', () => {
  const name = sent('key_revoked').split('=')[0]

  expect(findDone(`a=1; ${sent('key_revoked')}; b=2`)?.done).toBe('key_revoked')
  expect(findDone(`${name}=constructor`)).toBeNull()
  expect(findDone(`${name}=you_won`)).toBeNull()
  expect(findDone(null)).toBeNull()
})

test('two tabs each say what they did, though they share their cookies', () => {
  const cookies = [sent('key_requested'), sent('key_stored')]
  const page = () => {
    const found = findDone(cookies.join('; '))
    const forgotten = clearDoneCookie(found?.name ?? '').split('=')[0]
    cookies.splice(0, 2, ...cookies.filter((each) => !each.startsWith(`${forgotten}=`)))
    return found?.done
  }

  expect([page(), page(), page()]).toEqual(['key_requested', 'key_stored', undefined])
})

test.each([
  ['America/New_York', '2026-11-30 14:00', '2026-11-30T19:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-30 00:00', '2026-11-29T18:30:00.000Z'],
  // Clocks go forward: that hour is not there.
  ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
  // And back: it is there twice.
  ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
])('a time typed in %s is one there: %s', (zone, typed, instant) => {
  expect(instantIn(zone, new Date(`${typed.replace(' ', 'T')}:00Z`)).toISOString()).toBe(instant)
})
