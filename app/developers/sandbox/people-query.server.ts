/** The query of the list of people: the REST operation's own, with what it would refuse left out and said. */
import { operations } from '../../../server/contract/rest/operations.ts'

type Query = ReturnType<typeof operations.listPatients.query.parse>

const names = ['q', 'mrn', 'dob', 'offset'] as const

/** Fields that were left empty are none. */
export function readPeopleQuery(url: URL): { query: Query; wrong: string | null } {
  const given = Object.fromEntries(
    names.flatMap((name) => {
      const value = url.searchParams.get(name)?.trim()
      if (!value) return []
      return [[name, name === 'offset' ? Number(value) : value]]
    }),
  )
  const { query } = operations.listPatients
  const read = query.safeParse(given)
  if (read.success) return { query: read.data, wrong: null }
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  return {
    query: query.parse({}),
    wrong: `The search was not understood, so everyone is listed. ${wrong}.`,
  }
}
