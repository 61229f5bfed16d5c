/** Of an assertion's own words only known fields are shown or kept, and cut short: it may hold anything. */

const headerFields = ['alg', 'kid', 'typ', 'jku'] as const
const claimFields = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'] as const
const valueMax = 200
/** Longer than the longest jti, and than any address of ours. */
const keptMax = 300
const listMax = 5

type Said = Readonly<Record<string, unknown>>

/** For display. */
export const shownHeader = (header: Said | null) => pick(header, headerFields, truncate)
export const shownClaims = (claims: Said | null) => pick(claims, claimFields, truncate)

/** For a later look: of the same types as they came. */
export const keptHeader = (header: Said) => pick(header, headerFields, kept)
export const keptClaims = (claims: Said) => pick(claims, claimFields, kept)

/** Short, and on one line. */
export function truncate(value: unknown): string {
  if (value === undefined) return 'missing'
  return cut(typeof value === 'string' ? value : JSON.stringify(value), valueMax)
}

function kept(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, keptMax)
  if (Array.isArray(value)) return value.slice(0, listMax).map(truncate)
  return typeof value === 'object' && value !== null ? truncate(value) : value
}

/** Without control characters, and without halves of characters, which no database takes. */
function cut(text: string, charactersMax: number): string {
  return Array.from(text.replace(/[\p{Cc}\p{Cs}]/gu, ' '))
    .slice(0, charactersMax)
    .join('')
}

function pick<Value>(
  values: Said | null,
  names: readonly string[],
  as: (value: unknown) => Value,
): Record<string, Value> {
  const found = names.filter((name) => values !== null && Object.hasOwn(values, name))
  return Object.fromEntries(found.map((name) => [name, as(values?.[name])]))
}
