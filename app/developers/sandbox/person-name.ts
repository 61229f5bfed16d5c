/** A person's full name, or the id if there is none. */
export function nameOf(person: {
  id: string
  name: { family: string | null; given: readonly string[] }
}): string {
  const words = [...person.name.given, person.name.family ?? ''].filter(Boolean)
  return words.length === 0 ? person.id : words.join(' ')
}
