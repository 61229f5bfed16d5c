/** Walks a resource by element names joined by dots; every array on the way is walked through. */

/** The elements at all of the paths, in order of paths. */
export function elementsAt(resource: Readonly<Record<string, unknown>>, paths: readonly string[]): unknown[] {
  return paths.flatMap((path) => walk([resource], path.split('.')))
}

/** The texts at all of the paths; anything else there is left out. */
export function textsAt(resource: Readonly<Record<string, unknown>>, paths: readonly string[]): string[] {
  return elementsAt(resource, paths).filter((element): element is string => typeof element === 'string')
}

function walk(elements: readonly unknown[], names: readonly string[]): unknown[] {
  const [name, ...rest] = names
  const flat = elements.flat()
  if (name === undefined) return flat.filter((element) => element !== null && element !== undefined)
  const next = flat.flatMap((element) =>
    typeof element === 'object' && element !== null && Object.hasOwn(element, name)
      ? [(element as Record<string, unknown>)[name]]
      : [],
  )
  return walk(next, rest)
}
