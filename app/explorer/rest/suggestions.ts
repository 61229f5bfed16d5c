/** Values to try, each a link: people of the sandbox, and what goes wrong. */
import type { OperationPage } from '../../shared/operations/operation.ts'

interface Person {
  readonly id: string
  readonly mrn: string
  readonly name: string
}

interface SuggestionGroup {
  readonly title: string
  readonly list: readonly { readonly label: string; readonly search: string }[]
}

export function suggestionsFor(operation: OperationPage, people: readonly Person[]): SuggestionGroup[] {
  const has = (input: string) => operation.fields.some((field) => field.input === input)
  const isPatient = operation.path.startsWith('/patients/')
  const who = people.flatMap(({ id, mrn, name }) => {
    if (isPatient && has('p.id')) return [{ label: name, search: to({ 'p.id': id }) }]
    return has('q.mrn') ? [{ label: name, search: to({ 'q.mrn': mrn }) }] : []
  })
  const wrong = [
    ...(has('p.id') ? [{ label: '404: unknown ID', search: to({ 'p.id': 'nobody-here' }) }] : []),
    ...(has('q.limit') ? [{ label: '400: page size too large', search: to({ 'q.limit': '1000' }) }] : []),
    ...(has('q.dob') ? [{ label: '400: invalid date', search: to({ 'q.dob': '1971-02-30' }) }] : []),
  ]
  return [
    { title: 'Fill in a test patient', list: who },
    { title: 'Try an error', list: wrong },
  ].filter(({ list }) => list.length > 0)
}

function to(values: Record<string, string>): string {
  return `?${new URLSearchParams(values)}`
}
