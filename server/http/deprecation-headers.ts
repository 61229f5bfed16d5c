/** The response headers that announce the end of an operation or MCP tool. */
import { type Deprecation, deprecationDates } from '../contract/http/deprecation.ts'
import { paths } from '../contract/portal/paths.ts'

export type DeprecationNotice = Readonly<{
  deprecation: Deprecation
  /** Path of the page that describes the operation. */
  page: string
  /** The URL of its successor; null if it has none, or if the request lacks a parameter of that URL. */
  successor: string | null
}>

/**
 * Adds the headers to a response, also to an error.
 * https://www.rfc-editor.org/rfc/rfc9745#section-3, https://www.rfc-editor.org/rfc/rfc8594#section-6 and
 * https://www.rfc-editor.org/rfc/rfc5829#section-3.3
 */
export function addDeprecationHeaders(answer: Response, notice: DeprecationNotice | null, portal: string) {
  if (notice === null) return answer
  const { deprecation, page, successor } = notice
  for (const [name, value] of Object.entries(deprecationDates(deprecation))) answer.headers.set(name, value)
  answer.headers.append('Link', link(`${portal}${page}`, 'deprecation', 'text/html'))
  answer.headers.append('Link', link(`${portal}${paths.versioning}`, 'sunset', 'text/html'))
  if (successor !== null) answer.headers.append('Link', link(successor, 'successor-version'))
  return answer
}

const link = (target: string, relation: string, type?: string) =>
  `<${target}>; rel="${relation}"${type === undefined ? '' : `; type="${type}"`}`

/** Fills in the parameters of a path pattern; null if one is missing. */
export function fillPath(pattern: string, params: Readonly<Record<string, string>>): string | null {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => !Object.hasOwn(params, name))) return null
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
