/** A person's name as it is said; the id of who has none. */
export function nameOf(person: {
  id: string
  name: { family: string | null; given: readonly string[] }
}): string {
  const words = [...person.name.given, person.name.family ?? ''].filter(Boolean)
  return words.length === 0 ? person.id : words.join(' ')
}
