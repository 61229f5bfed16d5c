/**
 * Names that people type, as emails show them to others: in quotation marks, so that no name can pass for a sentence of
 * ours. The templates name the organization beside its keys and apps. A reader's own name, in the greeting, has none.
 */

const typedNames: ReadonlySet<string> = new Set([
  'appName',
  'keyName',
  'organizationName',
  'formerName',
  'about',
  'by',
  'byName',
  'holder',
  'invitedBy',
  'memberName',
  'reportedBy',
  'requestedBy',
  'signatoryName',
  'sponsorName',
])

/** The longest subject that mail programs show whole. */
const subjectMax = 70
const shortest = 8

/** @param codes fields that hold a code here and a name elsewhere */
export function quoteNames<Props extends Record<string, unknown>>(
  props: Props,
  { most = 200, codes = [] }: { most?: number; codes?: readonly string[] } = {},
): Props {
  const isName = (field: string) => typedNames.has(field) && !codes.includes(field)
  const quoted = Object.entries(props).map(([field, value]) => {
    if (Array.isArray(value))
      return [field, value.map((item) => (isRecord(item) ? quoteNames(item, { most, codes }) : item))]
    return [field, typeof value === 'string' && isName(field) ? quote(value, most) : value]
  })
  return Object.fromEntries(quoted) as Props
}

/** A subject with its names cut as far as needed. A cut name keeps its closing mark. */
export function fitSubject<Props extends Record<string, unknown>>(
  subject: (props: Props) => string,
  props: Props,
): string {
  for (let most = 60; most > shortest; most -= 2) {
    const text = subject(quoteNames(props, { most }))
    if (text.length <= subjectMax) return text
  }
  return subject(quoteNames(props, { most: shortest })).slice(0, subjectMax)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function quote(name: string, most: number): string {
  // A mark within the name would end the quotation early.
  const inner = name.replace(/[“”„«»"]/gu, '’')
  const characters = [...inner]
  return `“${characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : inner}”`
}
