/**
 * The pinned people of the sandbox, as the documentation names them. The seed takes their numbers and dates from here,
 * and `seed/cast-facts.test.ts` compares their names and sign-ins with what is seeded.
 */
import table from './sandbox-people.json' with { type: 'json' }
import { sandboxSignIns } from './sandbox-sign-ins.ts'

type SandboxPerson = Readonly<{
  id: string
  mrn: string
  name: string
  /** As it is stored; null for the very young, whose birth counts from the date of the seed. */
  birthDate: string | null
  purpose: string
  /** Accounts of a demonstration that may act for them. */
  logins: readonly string[]
}>

const people: readonly Omit<SandboxPerson, 'logins'>[] = table

export const sandboxPeople: readonly SandboxPerson[] = people.map((person) => ({
  ...person,
  logins: sandboxSignIns.flatMap((signIn) =>
    signIn.realm === 'patient' && signIn.actsFor.some(({ patientId }) => patientId === person.id)
      ? [`${signIn.localPart}@people.example`]
      : [],
  ),
}))
