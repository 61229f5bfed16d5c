/** The scopes that the app requests, parsed as the authorization server parses them. */
import { isProblem } from '../../../contract/http/problems.ts'
import { formatScope, type ParsedScopes, parseScopes, type Scope } from '../../../contract/smart/scopes.ts'
import type { AppAudience } from '../../../contract/workflows/registration-form.ts'
import { type Fault, type LintRule, shorten } from './lint-rule.ts'

const field = 'scope'

export const scopes: LintRule = {
  id: 'scopes',
  check: 'scopes',
  passed: () => 'Every scope is supported and fits the app.',
  find: ({ audience, scope }) => {
    const parsed = parse(scope)
    if (typeof parsed === 'string')
      return [{ field, reason: parsed, fix: 'Choose the scopes in the scope studio.' }]
    if (parsed.refused.length > 0)
      return parsed.refused.map(({ text, reason }) => ({
        field,
        reason: `${shorten(text)}: ${reason}`,
        fix: 'Remove it, or choose a supported scope in the scope studio.',
      }))
    if (!parsed.scopes.some(({ kind }) => kind === 'resource'))
      return [
        {
          field,
          reason: 'The app doesn’t request any records.',
          fix: 'Choose in the scope studio what it reads.',
        },
      ]
    return [
      ...parsed.scopes.flatMap((scope) => faultOfAudience(scope, audience)),
      ...hintsOf(parsed.scopes, audience),
    ]
  },
}

function parse(text: string): ParsedScopes | string {
  try {
    return parseScopes(text)
  } catch (error) {
    if (isProblem(error)) return error.message
    throw error
  }
}

function faultOfAudience(scope: Scope, audience: AppAudience): Fault[] {
  const isOfSystem = scope.kind === 'resource' && scope.context === 'system'
  if (audience === 'backend')
    return isOfSystem
      ? []
      : [
          {
            field,
            reason: `${formatScope(scope)} needs a person, and a backend system has none.`,
            fix: 'A backend system can have system/ scopes only.',
          },
        ]
  if (isOfSystem)
    return [
      {
        field,
        reason: `${formatScope(scope)} is for backend systems.`,
        fix: `Request ${formatScope(scope).replace('system/', 'patient/')} instead.`,
      },
    ]
  return audience === 'patient' && scope.kind === 'resource' && scope.context === 'user'
    ? [
        {
          field,
          severity: 'hint',
          reason: `${formatScope(scope)} covers every record a person may see.`,
          fix: `For one record at a time, request ${formatScope(scope).replace('user/', 'patient/')}`,
        },
      ]
    : []
}

function hintsOf(all: readonly Scope[], audience: AppAudience): Fault[] {
  const everything = all.find((scope) => scope.kind === 'resource' && scope.type === '*')
  const hasLaunch = all.some(
    ({ kind, ...rest }) => kind === 'launch' && 'name' in rest && /^launch/.test(rest.name),
  )
  const hints: (Fault | false)[] = [
    everything !== undefined &&
      audience !== 'backend' && {
        field,
        severity: 'hint',
        reason: `${formatScope(everything)} requests the complete record.`,
        fix: 'Request less. People approve short lists more often, and you can add scopes later.',
      },
    audience === 'patient' &&
      !hasLaunch && {
        field,
        severity: 'hint',
        reason: 'Without launch/patient, the app can’t know whose record it may read.',
        fix: 'Add launch/patient.',
      },
  ]
  return hints.filter((hint) => hint !== false)
}
