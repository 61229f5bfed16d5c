import { expect, test } from 'vitest'
import { chartTypes } from '../../search/patient-record.ts'
import { mcpToolNames, mcpTools } from '../mcp/tools.ts'
import { type OperationRow, operations } from '../rest/operations.ts'
import { classesOf, operationNeeds, toolNeeds, typeCoverage } from './class-coverage.ts'

test('every type of a chart has a class, except Patient, whose fields have classes, and Provenance', () => {
  const without = chartTypes.filter((type) => typeCoverage[type] === undefined)
  expect([...without].sort()).toEqual(['Patient', 'Provenance'])
})

test('every operation and tool that gives records of patients needs a class', () => {
  const rows = Object.entries<OperationRow>(operations).filter(([, { phi }]) => phi)
  for (const [id] of rows) expect(operationNeeds, id).toHaveProperty(id)
  for (const name of mcpToolNames.filter((each) => mcpTools[each].phi))
    expect(toolNeeds, name).toHaveProperty(name)
})

test('a resource of two categories needs both of their classes, and a label its own', () => {
  const system = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality'
  const category = [{ coding: [{ code: 'Vital-Signs' }] }, { coding: [{ code: 'survey' }] }]
  const meta = { security: [{ system, code: 'R' }] }
  const observation = { resourceType: 'Observation', category, meta }
  expect(classesOf(observation)).toEqual(['vital_signs', 'social_history', 'specially_protected'])
  expect(classesOf({ resourceType: 'Observation' })).toEqual(['results'])
})
