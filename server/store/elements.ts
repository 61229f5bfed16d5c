/**
 * Walks a resource by element names joined by dots; every array on the way is walked through, and
 * `extension[URL]` takes the extensions of that URL alone.
 */

/** A path taken apart. */
export type Steps = readonly Step[]

/** The elements at all of the paths, in order of paths. */
export function elementsAt(resource: Readonly<Record<string, unknown>>, paths: readonly string[]): unknown[] {
  return elementsAlong(resource, paths.map(stepsOf))
}

/** The same, of paths taken apart before. */
export function elementsAlong(resource: Readonly<Record<string, unknown>>, paths: readonly Steps[]) {
  const found: unknown[] = []
  for (const steps of paths) collect(resource, steps, 0, found)
  return found
}

/** The texts at all of the paths; anything else there is left out. */
export function textsAt(resource: Readonly<Record<string, unknown>>, paths: readonly string[]): string[] {
  return elementsAt(resource, paths).filter((element): element is string => typeof element === 'string')
}

interface Step {
  readonly name: string
  /** Of an extension. */
  readonly url?: string
}

/** Paths come from the registry alone, so that this stays small. */
const parsed = new Map<string, Steps>()

export function stepsOf(path: string): Steps {
  const known = parsed.get(path)
  if (known !== undefined) return known
  // Dots inside the brackets belong to the URL.
  const steps = path.split(/\.(?![^[]*\])/).map((step) => {
    const [, name = step, url] = /^(\w+)\[(.+)\]$/.exec(step) ?? []
    return url === undefined ? { name } : { name, url }
  })
  parsed.set(path, steps)
  return steps
}

function collect(element: unknown, steps: Steps, depth: number, found: unknown[]): void {
  if (element === null || element === undefined) return
  if (Array.isArray(element)) {
    for (const each of element) collect(each, steps, depth, found)
    return
  }
  const step = steps[depth]
  if (step === undefined) {
    found.push(element)
    return
  }
  if (typeof element !== 'object' || !Object.hasOwn(element, step.name)) return
  const next = (element as Record<string, unknown>)[step.name]
  collect(step.url === undefined ? next : ofUrl(next, step.url), steps, depth + 1, found)
}

function ofUrl(extensions: unknown, url: string): unknown[] {
  if (!Array.isArray(extensions)) return []
  return extensions.filter((each) => (each as { url?: unknown } | null)?.url === url)
}
