/**
 * The scopes of SMART App Launch 2, https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html
 * One grammar for the authorization server, the FHIR API, consent and the portal. scope-narrowing.ts says what
 * scopes permit and how they are narrowed, scope-labels.ts how people read them.
 */
import { type FhirType, isFhirType, registryRow, type SearchParameterName } from '../fhir/registry.ts'
import { Problem } from '../http/problems.ts'

/** `patient/Observation.rs?category=http://…|laboratory`, `user/*.read`, `system/Group.rs`. */
export type ResourceScope = Readonly<{
  kind: 'resource'
  context: 'patient' | 'user' | 'system'
  type: FhirType | '*'
  read: boolean
  search: boolean
  /** Narrows to resources that this one token parameter matches; null for the whole type. */
  filter: ScopeFilter | null
  /** The syntax it was asked in and is answered in: `.read` is 1, `.rs` is 2. */
  version: 1 | 2
}>

export type ScopeFilter = Readonly<{
  parameter: SearchParameterName
  /** Null: a code of any system. */
  system: string | null
  code: string
}>

/** Everything that is not about a type. */
export type LaunchScope = Readonly<{
  kind: 'launch'
  name: (typeof launchScopeNames)[number]
}>

export type Scope = ResourceScope | LaunchScope

export const launchScopeNames = [
  'openid',
  'fhirUser',
  'launch',
  'launch/patient',
  'launch/encounter',
  'offline_access',
  'online_access',
] as const

/** A scope of a request that this server will never grant, and why, in words for its developer. */
export type RefusedScope = Readonly<{ text: string; reason: string }>

export type ParsedScopes = Readonly<{
  /** In the order asked, each once. */
  scopes: readonly Scope[]
  refused: readonly RefusedScope[]
}>

/** All types with a filter each take about 4,000 characters. */
export const scopeCharactersMax = 8_192
const scopesMax = 256

/** https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
const scopeText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
const resourceScope = /^(patient|user|system)\/([A-Za-z]+|\*)\.([a-z]+|\*)(?:\?(.*))?$/
/** A token that stands alone in a query: no second value, no second parameter, no wildcard of a system. */
const filterToken = /^(?:([^\s|,&%\\"]+)\|)?([^\s|,&%\\"]+)$/

/**
 * Reads the value of a `scope` parameter. What is well formed but not offered here is refused one by one, as
 * OAuth lets a server grant less than was asked.
 * @throws Problem `validation` when the text as a whole is no list of scopes, or too long for one
 */
export function parseScopes(text: string): ParsedScopes {
  if (text.length > scopeCharactersMax)
    throw notScopes(`The scope is longer than ${scopeCharactersMax} characters.`)
  if (!scopeText.test(text)) throw notScopes('The scope contains a character that no scope may have.')
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))]
  if (words.length > scopesMax) throw notScopes(`The scope lists more than ${scopesMax} scopes.`)
  const scopes = new Map<string, Scope>()
  const refused: RefusedScope[] = []
  for (const word of words) {
    const scope = parseScope(word)
    if (typeof scope === 'string') refused.push({ text: word, reason: scope })
    else scopes.set(formatScope(scope), scope)
  }
  return { scopes: [...scopes.values()], refused }
}

/** The scopes of a text that this server wrote itself. @throws Error on one that it could not have written */
export function readScopes(text: string): readonly Scope[] {
  const { scopes, refused } = parseScopes(text)
  if (refused.length > 0) throw new Error('stored scopes do not parse')
  return scopes
}

/** As it stands on the wire; `parseScopes` of it gives the scope back. */
export function formatScope(scope: Scope): string {
  if (scope.kind === 'launch') return scope.name
  const { context, type, version, filter } = scope
  const access = version === 1 ? 'read' : `${scope.read ? 'r' : ''}${scope.search ? 's' : ''}`
  return `${context}/${type}.${access}${filter ? `?${formatFilter(filter)}` : ''}`
}

export const formatScopes = (scopes: readonly Scope[]): string => scopes.map(formatScope).join(' ')

/** `category=http://…|laboratory`. */
export const formatFilter = ({ parameter, system, code }: ScopeFilter): string =>
  `${parameter}=${system === null ? code : `${system}|${code}`}`

/** Whether an app in this context may ever see the type: a list of people is not in one person's chart. */
export const isTypeOfContext = (context: ResourceScope['context'], type: FhirType): boolean =>
  context !== 'patient' || registryRow(type).members === undefined

/** @returns the scope, or why there is none */
function parseScope(text: string): Scope | string {
  const launch = launchScopeNames.find((name) => name === text)
  if (launch) return { kind: 'launch', name: launch }
  const [, context, type = '', access = '', query] = resourceScope.exec(text) ?? []
  if (context !== 'patient' && context !== 'user' && context !== 'system')
    return 'This server doesn’t know this SMART App Launch scope.'
  if (type !== '*' && !isFhirType(type)) return 'This server doesn’t have this resource type.'
  if (type !== '*' && !isTypeOfContext(context, type)) return `${type} is not part of one patient’s record.`
  const permissions = parseAccess(access)
  if (typeof permissions === 'string') return permissions
  const filter = query === undefined ? null : parseFilter(type, permissions.version, query)
  if (typeof filter === 'string') return filter
  return { kind: 'resource', context, type, ...permissions, filter }
}

type Access = Pick<ResourceScope, 'read' | 'search' | 'version'>

function parseAccess(text: string): Access | string {
  if (text === 'read' || text === '*') return { read: true, search: true, version: 1 }
  if (text !== 'write' && !/^c?r?u?d?s?$/.test(text))
    return 'After the dot, write .read or letters of .cruds in this order.'
  const access = {
    read: text.includes('r') && text !== 'write',
    search: text.includes('s'),
    version: 2,
  } as const
  return access.read || access.search ? access : 'This server is read-only: it grants r and s, no writing.'
}

function parseFilter(type: FhirType | '*', version: 1 | 2, query: string): ScopeFilter | string {
  if (version === 1) return 'Only scopes of version 2 (.rs) may be narrowed by a search parameter.'
  if (type === '*') return 'A search parameter needs a resource type, not a wildcard.'
  const separator = query.indexOf('=')
  const name = query.slice(0, Math.max(0, separator))
  const row = registryRow(type).parameters.find((each) => each.scopable && each.name === name)
  if (!row) return `${type} cannot be narrowed by this parameter. ${scopableSentence(type)}`
  const [, system = null, code] = filterToken.exec(decode(query.slice(separator + 1))) ?? []
  if (code === undefined) return 'Use one parameter with one value: a code, or system|code.'
  return { parameter: row.name, system, code }
}

function scopableSentence(type: FhirType): string {
  const names = registryRow(type).parameters.flatMap((each) => (each.scopable ? [each.name] : []))
  return names.length === 0 ? 'Request the whole type.' : `It can be narrowed by ${names.join(' or ')}.`
}

/** Filters may be percent-encoded as in a URL; what cannot be decoded, or not to plain ASCII, is no value. */
function decode(value: string): string {
  try {
    const decoded = decodeURIComponent(value)
    return scopeText.test(decoded) ? decoded : ''
  } catch {
    return ''
  }
}

const notScopes = (message: string): Problem => new Problem('validation', { field: 'scope', message })
