import { describe, expect, test } from 'vitest'
import {
  type ComponentId,
  type ComponentState,
  componentIds,
  components,
  overallOf,
  practiceStatusOf,
} from './components.ts'

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
  test('is down when one part is, whatever the other', () => {
    expect(practiceStatusOf(['degraded', 'down'])).toBe('down')
  })
})
