import { describe, expect, test } from 'vitest'
import {
  authenticationReasons,
  describeRefusal,
  otherReasons,
  tokenReasons,
} from '../keys/refusal-reasons.ts'
import { operations } from './operations.ts'
import { findStructuralRefusal } from './refusals.ts'

describe('what no key may ever do', () => {
  test.each([
    ['/auth/login', 'sign_in'],
    ['/password-reset', 'sign_in'],
    ['/staff', 'staff_logins'],
    ['/staff/7/logins', 'staff_logins'],
    ['/roles', 'roles'],
    ['/patient-portal/messages', 'patient_portal'],
    ['/demo/reset', 'demo_sessions'],
    ['/tenants/7', 'tenant_migration'],
    ['/practices/harbor-family/migrate', 'tenant_migration'],
    ['/ops/status/overrides', 'operations_tools'],
    ['/api-keys', 'api_keys'],
    ['/keys/7/revoke', 'api_keys'],
    ['/patients/pt-1/portal-invites', 'credentials'],
    ['/documents/upload-tokens', 'credentials'],
    ['/kiosk-tokens', 'credentials'],
    ['/smart/clients', 'credentials'],
    ['/API-Keys/', 'api_keys'],
    ['//auth//login', 'sign_in'],
    ['/auth/\nlogin', 'sign_in'],
  ])('%j is refused as %s', (path, name) => {
    expect(findStructuralRefusal(path)?.name).toBe(name)
  })

  test.each([
    '',
    '/',
    '/authors',
    '/keysmith',
    '/patients/keys',
    '/patients/pt-1/ccda',
    '/documents',
    '/mcp',
    '/system/status',
  ])('%j is not', (path) => {
    expect(findStructuralRefusal(path)).toBeNull()
  })

  test('no operation of ours is among it', () => {
    for (const { path } of Object.values(operations)) {
      expect(findStructuralRefusal(path.replace(/\{\w+\}/g, 'some-id'))).toBeNull()
    }
  })
})

test('every reason in the activity log is a sentence', () => {
  for (const code of [
    ...Object.keys(authenticationReasons),
    ...Object.keys(tokenReasons),
    ...Object.keys(otherReasons),
    'validation:limit',
  ]) {
    expect(describeRefusal(code)).toMatch(/^[A-Z].+\.$/)
  }
  expect(describeRefusal('no scope for search of Observation')).toBe(
    'The token has no scope for search of Observation.',
  )
  expect(describeRefusal('something_new')).toBe('something_new')
  expect(describeRefusal('structural:toString')).toBe('structural:toString')
})
