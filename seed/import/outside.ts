/** References that lead out of the load to what the practice has already. */
import { type FhirType, isFhirType } from '../../server/contract/fhir/registry.ts'
import type { IdentifierKey } from '../../server/store/lookup.ts'
import type { Store } from '../../server/store/store.ts'
import type { Ledger, Target } from './ledger.ts'

interface Address {
  readonly key: string
  readonly type: FhirType
  readonly id: string
}

/** Enters the practice's own resources that the load refers to, whether by id, by source id or by identifier. */
export async function findOutside({
  ledger,
  store,
  datasetId,
}: {
  readonly ledger: Ledger
  readonly store: Store
  readonly datasetId: number
}): Promise<void> {
  for await (const keys of ledger.openKeys()) {
    const found = new Map<string, Target>()
    const addresses = keys.flatMap(addressOf)
    const stored = await store.findStored(datasetId, addresses)
    for (const { key, type, id } of addresses) {
      if (stored.get(key)?.deleted === false) found.set(key, { type, id })
    }
    // An earlier import may have given it another id; that one is meant then.
    const origins = await store.origins.find(
      datasetId,
      addresses.map(({ type, id }) => ({ type, source: id })),
    )
    for (const [key, { type, id, stored: current }] of origins) {
      if (current?.deleted === false) found.set(key, { type, id })
      else found.delete(key)
    }
    const identifiers = keys.flatMap(identifierOf)
    const ids = await store.findIdentified(datasetId, identifiers)
    for (const [at, { key, type }] of identifiers.entries()) {
      const id = ids[at]
      if (typeof id === 'string') found.set(key, { type, id })
    }
    await ledger.addOutside(found)
  }
}

function addressOf(key: string): Address[] {
  const [type = '', id, rest] = key.split('/')
  return id !== undefined && rest === undefined && isFhirType(type) ? [{ key, type, id }] : []
}

/** https://hl7.org/fhir/R4/search.html#token */
function identifierOf(key: string): (IdentifierKey & { key: string })[] {
  const [, type = '', token = ''] = /^(\w+)\?identifier=(.+)$/s.exec(key) ?? []
  if (!isFhirType(type)) return []
  const at = token.indexOf('|')
  const system = at < 0 ? null : token.slice(0, at)
  return [{ key, type, system, value: token.slice(at + 1) }]
}
