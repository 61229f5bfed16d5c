/**
 * The components of the platform whose state is published, the states, and as tables what a state means for the
 * platform as a whole and for a practice.
 */

/** What an automatic check may say. */
export const checkedStates = ['operational', 'degraded', 'down', 'disabled', 'not_available'] as const
export type CheckedState = (typeof checkedStates)[number]

/** The last three are set by hand during an incident or maintenance. */
export const componentStates = [
  ...checkedStates,
  'partial_outage',
  'major_outage',
  'under_maintenance',
] as const
export type ComponentState = (typeof componentStates)[number]

export const overallStates = ['operational', 'degraded', 'major_outage'] as const
type Overall = (typeof overallStates)[number]

export const practiceStatuses = ['operational', 'degraded', 'down', 'suspended', 'unknown'] as const
export type PracticeStatus = (typeof practiceStatuses)[number]

type ComponentRow = Readonly<{
  name: string
  /** Without what is core no one can work with a chart. */
  tier: 'core' | 'peripheral'
  /** Ours, so that it cannot work while our database does not answer. */
  ours: boolean
}>

/** In the order in which they are published. */
export const components = {
  academy: { name: 'Academy', tier: 'peripheral', ours: false },
  demo: { name: 'Public demo', tier: 'peripheral', ours: true },
  chartvoyant_app: { name: 'ChartVoyant app', tier: 'core', ours: false },
  api: { name: 'REST API', tier: 'core', ours: true },
  mcp: { name: 'MCP server', tier: 'peripheral', ours: true },
  fhir: { name: 'FHIR API', tier: 'core', ours: true },
  smart: { name: 'Sign-in (SMART)', tier: 'core', ours: true },
  ai: { name: 'AI services', tier: 'peripheral', ours: false },
} as const satisfies Record<string, ComponentRow>

export type ComponentId = keyof typeof components
export const componentIds = Object.keys(components) as readonly ComponentId[]

export const isComponentId = (text: string): text is ComponentId => Object.hasOwn(components, text)

const overallOfCore = {
  operational: 'operational',
  degraded: 'degraded',
  down: 'major_outage',
  disabled: null,
  not_available: null,
  partial_outage: 'degraded',
  major_outage: 'major_outage',
  under_maintenance: 'degraded',
} as const
/** What one row makes of `overall` at the least; null: it is not counted. */
export const overallTable = {
  core: overallOfCore,
  peripheral: { ...overallOfCore, down: 'degraded', major_outage: 'degraded' },
} as const satisfies Record<ComponentRow['tier'], Record<ComponentState, Overall | null>>

/** The worst of the rows that count. What is not checked never makes it worse: its summary says that no one looked. */
export function overallOf(rows: readonly { id: ComponentId; status: ComponentState }[]): Overall {
  const counted = rows
    .map(({ id, status }): Overall | null => overallTable[components[id].tier][status])
    .filter((each) => each !== null)
  return worst(overallStates, counted)
}

type Effect = 'operational' | 'degraded' | 'down'

/** What sign-in or saving in this state makes of an active practice. Unchecked: its own state stands. */
const practiceTable = {
  operational: 'operational',
  degraded: 'degraded',
  down: 'down',
  disabled: 'down',
  not_available: 'operational',
  partial_outage: 'degraded',
  major_outage: 'down',
  under_maintenance: 'degraded',
} as const satisfies Record<ComponentState, Effect>

export function practiceStatusOf(parts: readonly ComponentState[]): Effect {
  return worst(
    ['operational', 'degraded', 'down'],
    parts.map((part): Effect => practiceTable[part]),
  )
}

/** @param order from best to worst */
const worst = <Each>(order: readonly Each[], found: readonly Each[]): Each =>
  order[Math.max(0, ...found.map((each) => order.indexOf(each)))] as Each

/** What the checks look at besides the components: the two things a practice cannot do without. */
export const practiceChecks = { signIn: 'sign_in', saving: 'saving' } as const
export type CheckName = ComponentId | (typeof practiceChecks)[keyof typeof practiceChecks]

/** Seconds between two rounds of checks, and after which a result says nothing any more. */
export const checkEverySeconds = 30
export const checkStaleSeconds = 120
