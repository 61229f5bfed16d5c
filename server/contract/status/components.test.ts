import { describe, expect, test } from 'vitest'
import {
  type ComponentId,
  type ComponentState,
  componentIds,
  componentStates,
  components,
  overallOf,
  overallTable,
  practiceStatusOf,
  practiceTable,
  settableStates,
} from './components.ts'

/** As a reader of the status page would expect it, written down a second time. */
const expected = {
  core: {
    operational: 'operational',
    degraded: 'degraded',
    down: 'major_outage',
    disabled: null,
    not_available: null,
    partial_outage: 'degraded',
    major_outage: 'major_outage',
    under_maintenance: 'degraded',
  },
  peripheral: {
    operational: 'operational',
    degraded: 'degraded',
    down: 'degraded',
    disabled: null,
    not_available: null,
    partial_outage: 'degraded',
    major_outage: 'degraded',
    under_maintenance: 'degraded',
  },
} as const

const cells = componentIds.flatMap((id) => componentStates.map((state) => [id, state] as const))

function platform(changed: Partial<Record<ComponentId, ComponentState>>, others: ComponentState) {
  return componentIds.map((id) => ({ id, status: changed[id] ?? others }))
}

test('the components are the eight of the specification', () => {
  expect(componentIds).toEqual(['academy', 'demo', 'chartvoyant_app', 'api', 'mcp', 'fhir', 'smart', 'ai'])
  expect(Object.entries(components).flatMap(([id, { tier }]) => (tier === 'core' ? [id] : []))).toEqual([
    'chartvoyant_app',
    'api',
    'fhir',
    'smart',
  ])
})

describe('overall', () => {
  test.each(cells)('%s that is %s counts as the table says', (id, state) => {
    const effect = expected[components[id].tier][state]

    expect(overallTable[components[id].tier][state]).toBe(effect)
    expect(overallOf(platform({ [id]: state }, 'operational'))).toBe(effect ?? 'operational')
    expect(overallOf(platform({ [id]: state }, 'not_available'))).toBe(effect ?? 'operational')
    expect(overallOf(platform({ [id]: state }, 'disabled'))).toBe(effect ?? 'operational')
  })

  test('is the worst of the rows that count', () => {
    expect(overallOf(platform({ academy: 'down', api: 'down' }, 'operational'))).toBe('major_outage')
    expect(overallOf(platform({ academy: 'major_outage' }, 'operational'))).toBe('degraded')
    expect(overallOf(platform({ fhir: 'degraded', ai: 'disabled' }, 'operational'))).toBe('degraded')
  })

  test('is not worse for what nobody checked or what is off', () => {
    expect(overallOf(platform({}, 'not_available'))).toBe('operational')
    expect(overallOf(platform({ api: 'disabled' }, 'not_available'))).toBe('operational')
    expect(overallOf([])).toBe('operational')
  })
})

describe('a practice', () => {
  const effects: Record<ComponentState, 'operational' | 'degraded' | 'down'> = {
    operational: 'operational',
    degraded: 'degraded',
    down: 'down',
    disabled: 'down',
    not_available: 'operational',
    partial_outage: 'degraded',
    major_outage: 'down',
    under_maintenance: 'degraded',
  }

  test.each(componentStates)('is told of %s as the table says, whichever part it is', (state) => {
    expect(practiceTable[state]).toBe(effects[state])
    expect(practiceStatusOf([state, 'operational'])).toBe(effects[state])
    expect(practiceStatusOf(['operational', state])).toBe(effects[state])
  })

  test('is down when one part is, whatever the other', () => {
    expect(practiceStatusOf(['degraded', 'down'])).toBe('down')
  })
})

test('nobody can set by hand that nobody looked', () => {
  expect(settableStates).toEqual(componentStates.filter((state) => state !== 'not_available'))
})
