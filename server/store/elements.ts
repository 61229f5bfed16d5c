/**
 * Finds elements of a resource by paths such as `name.family`. A path includes all items of each array, and
 * `extension[URL]` selects the extensions of that URL.
 */

/** A parsed path. */
export type Steps = readonly Step[]

/** @returns the elements at all paths, in the order of the paths */
export function elementsAt(resource: Readonly<Record<string, unknown>>, paths: readonly string[]): unknown[] {
  return elementsAlong(resource, paths.map(stepsOf))
}

/** The same for parsed paths. */
export function elementsAlong(resource: Readonly<Record<string, unknown>>, paths: readonly Steps[]) {
  const found: unknown[] = []
  for (const steps of paths) collect(resource, steps, 0, found)
  return found
}

/** @returns the strings at all paths, without other values */
export function textsAt(resource: Readonly<Record<string, unknown>>, paths: readonly string[]): string[] {
  return elementsAt(resource, paths).filter((element): element is string => typeof element === 'string')
}

interface Step {
  readonly name: string
  /** Selects the extensions of this URL. */
  readonly url?: string
}

/** The cache stays small, because all paths come from the registry. */
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
