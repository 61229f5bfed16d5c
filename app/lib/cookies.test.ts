import { expect, test } from 'vitest'
import { doneCookie, doneOf } from './flash.ts'
import { languageOf } from './remembered-language.ts'
import { themeCookie, themeOf } from './theme.ts'
import { officeZone, zoneOf } from './zone.ts'

test('a kept theme comes back, anything else follows the system', () => {
  expect(themeOf(`a=1; ${themeCookie('dark').split(';')[0]}`)).toBe('dark')
  expect(themeOf('sandpiper-theme=pink')).toBe('system')
  expect(themeOf(null)).toBe('system')
})

test('a made-up message is never said', () => {
  expect(doneOf(doneCookie('key_revoked').split(';')[0] ?? '')).toBe('key_revoked')
  expect(doneOf('sandpiper-done=constructor')).toBeNull()
  expect(doneOf('sandpiper-done=you_won')).toBeNull()
})

test('a made-up zone is the zone of the office', () => {
  expect(zoneOf('sandpiper-zone=Asia%2FTokyo')).toBe('Asia/Tokyo')
  expect(zoneOf('sandpiper-zone=Mars%2FOlympus')).toBe(officeZone)
  expect(zoneOf('sandpiper-zone=%E0%A4%A')).toBe(officeZone)
})

test('a kept language is the name of one, and nothing else', () => {
  expect(languageOf('a=1; sandpiper-language=python; sandpiper-zone=Asia%2FTokyo')).toBe('python')
  expect(languageOf('sandpiper-language=<b>')).toBeNull()
  expect(languageOf('other-sandpiper-language=python')).toBeNull()
  expect(languageOf(null)).toBeNull()
})
