/**
 * What no API key may ever do, at any level and with any method: 403, and the row's name stands in the key's
 * activity log. Paths are relative to the REST base; `{}` is one segment, `/**` whatever follows, nothing included.
 */
type RefusalRow = Readonly<{ reason: string; paths: readonly string[] }>

export const structuralRefusals = {
  sign_in: {
    reason: 'An API key may not sign anyone in or out, or touch passwords and sessions.',
    paths: [
      '/auth/**',
      '/login/**',
      '/logout/**',
      '/sign-in/**',
      '/sign-out/**',
      '/sign-up/**',
      '/sessions/**',
      '/password/**',
      '/passwords/**',
      '/password-reset/**',
      '/forgot-password/**',
      '/mfa/**',
    ],
  },
  staff_logins: {
    reason: 'An API key may not create or change staff logins.',
    paths: ['/staff/**', '/staff-logins/**', '/users/**', '/accounts/**', '/members/**'],
  },
  roles: {
    reason: 'An API key may not see or change the map of roles and permissions.',
    paths: ['/roles/**', '/permissions/**', '/role-permissions/**'],
  },
  patient_portal: {
    reason: 'An API key may not act in the patient portal.',
    paths: ['/portal/**', '/patient-portal/**', '/patients/{}/portal/**'],
  },
  demo_sessions: {
    reason: 'An API key may not start, end or change demonstration sessions.',
    paths: ['/demo/**', '/demo-sessions/**'],
  },
  tenant_migration: {
    reason: 'An API key may not use the tools that move practices.',
    paths: [
      '/migrations/**',
      '/migrate/**',
      '/tenants/**',
      '/tenant-migration/**',
      '/practices/{}/migrate/**',
    ],
  },
  operations_tools: {
    reason: 'An API key may not use the service’s own operations tools.',
    paths: ['/ops/**', '/operations/**', '/admin/**', '/internal/**', '/jobs/**', '/metrics/**', '/debug/**'],
  },
  api_keys: {
    reason: 'An API key may not issue, list, change or revoke API keys.',
    paths: ['/keys/**', '/api-keys/**', '/key-requests/**'],
  },
  credentials: {
    reason: 'An API key may not mint other credentials: invitations, upload or kiosk tokens, SMART clients.',
    paths: [
      '/invites/**',
      '/invitations/**',
      '/portal-invites/**',
      '/patients/{}/portal-invites/**',
      '/tokens/**',
      '/upload-tokens/**',
      '/documents/upload-tokens/**',
      '/patients/{}/upload-tokens/**',
      '/kiosk/**',
      '/kiosk-tokens/**',
      '/clients/**',
      '/smart/**',
      '/oauth/**',
    ],
  },
} as const satisfies Record<string, RefusalRow>

export type StructuralRefusal = keyof typeof structuralRefusals

const rows = Object.entries(structuralRefusals).flatMap(([name, { paths }]) =>
  paths.map((path) => ({ name: name as StructuralRefusal, path, pattern: patternOf(path) })),
)

/**
 * The refusal of a path below the REST base and the table's path that it falls under, or null. Letter case and doubled
 * slashes do not get around it.
 * @param path percent-decoded
 */
export function findStructuralRefusal(path: string): { name: StructuralRefusal; path: string } | null {
  const plain = path
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
  return rows.find(({ pattern }) => pattern.test(plain)) ?? null
}

function patternOf(path: string): RegExp {
  const text = path
    .replace(/[.]/g, '\\$&')
    .replaceAll('{}', '[^/]+')
    .replace(/\/\*\*$/, '(/.*)?')
  return new RegExp(`^${text}$`, 's')
}
