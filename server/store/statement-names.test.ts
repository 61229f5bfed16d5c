import { expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

test('a statement gets a name once its shape has come again, and keeps it', () => {
  const nameOf = createStatementNames()

  const names = [1, 2, 3, 4].map(() => nameOf('chart tokens', 'SELECT 1').name)

  expect(names.slice(0, 2)).toEqual(['', ''])
  expect(names[2]).toMatch(/^fhir:[\w-]{24}$/)
  expect(names[3]).toBe(names[2])
  expect(nameOf('chart dates', 'SELECT 2').name).toBe('')
})

test('callers cannot make a connection keep more than so many statements', () => {
  const nameOf = createStatementNames()
  const names = new Set<string>()

  for (let round = 0; round < 3; round++) {
    for (let shape = 0; shape < 3_000; shape++) names.add(nameOf(`shape ${shape}`, 'SELECT 1').name)
  }

  expect(names.size).toBe(401)
  expect(nameOf('shape 0', 'SELECT 1').name).not.toBe('')
  expect(nameOf('shape 2999', 'SELECT 1').name).toBe('')
})
