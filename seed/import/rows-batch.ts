/**
 * The second pass over a batch, in any thread: it rewrites references and converts new resources to COPY lines. Between the
 * steps the main thread provides the targets of references and the numbers of unknown codes.
 */
import { LRUCache } from 'lru-cache'
import type { FhirType } from '../../server/contract/fhir/registry.ts'
import { keyOf } from '../../server/store/dictionary.ts'
import { checkResources, numberTokens } from '../../server/store/drafts.ts'
import type { CodedValue, Resource } from '../../server/store/index-rows.ts'
import { type LineOptions, type LoadRows, loadRows } from '../../server/store/load-rows.ts'
import type { Planned, Target } from './ledger.ts'
import { labelled, parseSource, readBatch } from './parse-source.ts'
import { findReferences, type Holder, pruneLists } from './references.ts'
import { ImportError, type Source } from './report.ts'

interface Work {
  readonly source: Source
  readonly planned: Planned
}

interface Followed {
  readonly type: FhirType
  readonly task: Planned['task']
  readonly isRenamed: boolean
  readonly isTrimmed: boolean
}

export interface ReadyBatch {
  readonly followed: readonly Followed[]
  /** The rows of new resources; null if there are none. */
  readonly rows: LoadRows | null
  readonly newer: readonly { readonly planned: Planned; readonly resource: Resource }[]
}

interface Open {
  readonly planned: Planned
  readonly resource: Resource
  readonly references: readonly Holder[]
}

const numbersMax = 50_000

export type Steps = ReturnType<typeof createSteps>

/** The steps of an import without the database, in any thread. Batches are stored between the steps. */
export function createSteps() {
  const batches = new Map<number, { readonly open: readonly Open[]; checked?: Checked }>()
  const numbers = new LRUCache<string, number>({ max: numbersMax })

  /** @returns the keys that the batch refers by */
  function open(batch: number, work: readonly Work[]): string[] {
    const list = work.map(({ source, planned }) => {
      const parsed = parseSource(source)
      if ('reason' in parsed) throw new ImportError(`${source.file} was changed while it was read`)
      return { planned, resource: parsed.resource, references: findReferences(parsed.resource) }
    })
    batches.set(batch, { open: list })
    return [...new Set(list.flatMap(({ references }) => references.flatMap(({ keys }) => keys)))]
  }

  /** @returns the coded values of which this thread does not know the number */
  function follow(batch: number, targets: ReadonlyMap<string, Target | null>): CodedValue[] {
    const state = batches.get(batch)
    if (!state) throw new Error('a batch was followed before it was opened')
    const ready = state.open.map((each) => lead(each, targets))
    const fresh = ready.filter(({ planned }) => planned.task === 'load')
    const drafts = checkResources(fresh.map(({ resource }) => resource))
    const known = new Map<string, number>()
    const missing = new Map<string, CodedValue>()
    for (const { index } of drafts) {
      for (const token of index.tokens) {
        const key = keyOf(token)
        const number = numbers.get(key)
        if (number === undefined) missing.set(key, token)
        else known.set(key, number)
      }
    }
    state.checked = { ready, drafts, known }
    return [...missing.values()]
  }

  function make(batch: number, found: ReadonlyMap<string, number>, options: LineOptions): ReadyBatch {
    const { checked } = batches.get(batch) ?? {}
    if (!checked) throw new Error('a batch was made before it was followed')
    batches.delete(batch)
    const { ready, drafts, known } = checked
    for (const [key, number] of found) numbers.set(key, number)
    const get = (key: string) => found.get(key) ?? known.get(key)
    const origins = ready
      .filter(({ planned }) => planned.task === 'load')
      .map(({ planned }) => ({ ...planned, source: planned.origin, version: 1 }))
    return {
      followed: ready.map(({ planned: { type, task }, isRenamed, isTrimmed }) => ({
        type,
        task,
        isRenamed,
        isTrimmed,
      })),
      rows: drafts.length === 0 ? null : loadRows(numberTokens(drafts, { get }), origins, options),
      newer: ready
        .filter(({ planned }) => planned.task === 'update')
        .map(({ planned, resource }) => ({ planned, resource })),
    }
  }

  return { read: readBatch, open, follow, make }
}

interface Checked {
  readonly ready: readonly ReturnType<typeof lead>[]
  readonly drafts: ReturnType<typeof checkResources>
  /** Numbers of codes that the thread already knows, because its cache may evict them meanwhile. */
  readonly known: ReadonlyMap<string, number>
}

function lead({ planned, resource, references }: Open, targets: ReadonlyMap<string, Target | null>) {
  let isTrimmed = false
  for (const holder of references) {
    const target = holder.isStored ? targetOf(holder, targets) : null
    holder.lead(target && `${target.type}/${target.id}`)
    isTrimmed ||= target === null
  }
  if (isTrimmed) pruneLists(resource)
  const isRenamed = resource.id !== planned.id
  return { planned, resource: labelled(resource, planned.id), isRenamed, isTrimmed }
}

/** The target of the most specific key that names a resource; null for an unsupported type. */
function targetOf({ reference, keys }: Holder, targets: ReadonlyMap<string, Target | null>): Target | null {
  for (const key of keys.toReversed()) {
    const target = targets.get(key)
    if (target !== undefined) return target
  }
  throw new ImportError(`${reference} names nothing any more: the practice was changed while it was read`)
}
