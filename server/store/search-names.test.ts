import { expect, test } from 'vitest'
import { compileSearch } from '../search/compile.ts'
import { planPatientList, planRead } from '../search/lists.ts'
import { parseParameters } from '../search/query-string.ts'
import { noLiveness } from './liveness.ts'
import { createSearch } from './search.ts'
import type { Statement } from './statements.ts'

test('callers who make up searches take no statement’s name from lists and reads', async () => {
  let last = ''
  const run = async ({ name }: Statement) => {
    last = name
    return { rows: [{ alive: true, id: null, place: 0, sort: null }] }
  }
  const store = createSearch(
    { run: (_: number, statement: Statement) => run(statement) } as unknown as Parameters<
      typeof createSearch
    >[0],
    (_dataset, _read, _liveness, _written, alone) => alone(),
  )
  const choices = [
    ['', '_id=a'],
    ['', '_lastUpdated=2024'],
    ['', 'status=a', 'status:not=a', 'status:missing=true'],
    ['', 'category=a', 'category:not=a', 'category:missing=true'],
    ['', 'code=a', 'code:not=a', 'code:missing=true'],
    ['', 'date=2024', 'date:missing=true'],
  ]
  const searches = choices.reduce<string[]>(
    (made, each) => made.flatMap((one) => each.map((other) => `${one}&${other}`)),
    [''],
  )
  const name = async (asked: Promise<unknown>) => {
    await asked
    return last
  }

  const names: string[] = []
  for (const query of searches) {
    const { plan } = compileSearch({
      access: {
        type: 'Observation',
        grants: [{ patientId: 'wren', filter: null }],
        patientId: 'wren',
        needsPatient: false,
      },
      parameters: parseParameters(query),
      handling: 'strict',
      base: '',
      now: new Date('2026-11-20T12:00:00Z'),
      after: null,
      accessTo: () => null,
    })
    for (let times = 0; times < 3; times++) names.push(await name(store.search(1, plan, noLiveness)))
  }
  const list = () => name(store.search(1, planPatientList({ limit: 25, offset: 0 }), noLiveness))
  const read = () => name(store.read(1, planRead('Patient', 'wren'), noLiveness))
  const [lists, reads] = [
    [await list(), await list(), await list()],
    [await read(), await read(), await read()],
  ]

  expect(names.at(-1)).toBe('')
  expect(lists[2]).not.toBe('')
  expect(reads[2]).not.toBe('')
})
