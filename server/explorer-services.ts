/** Builds the services of the explorer: keys and tokens that stay on the server, what is asked with them, and what is left. */
import { compareFhir } from './domain/conformance/compare-fhir.ts'
import { createExplorerCalls } from './domain/explorer/explorer-calls.ts'
import { createExplorerChoices } from './domain/explorer/explorer-choices.ts'
import { createExplorerHistory } from './domain/explorer/explorer-history.ts'
import { createExplorerKeys } from './domain/explorer/explorer-keys.ts'
import { createExplorerRecords } from './domain/explorer/explorer-records.ts'
import { createExplorerTokens } from './domain/explorer/explorer-tokens.ts'
import { createExplorerTraces } from './domain/explorer/explorer-traces.ts'
import { createFhirOutcomes } from './domain/explorer/fhir-outcomes.ts'

type Needs<Make extends (needs: never) => unknown> = Parameters<Make>[0]

/** What stands below the explorer. */
type Below = Omit<
  Needs<typeof createExplorerCalls> &
    Needs<typeof createExplorerChoices> &
    Needs<typeof createExplorerKeys> &
    Needs<typeof createExplorerRecords> &
    Needs<typeof createExplorerTokens>,
  'explorerKeys' | 'explorerHistory'
>

export function createExplorer(below: Below) {
  const { prisma, clock } = below
  const explorerHistory = createExplorerHistory({ prisma, clock })
  const explorerKeys = createExplorerKeys(below)
  const shared = { ...below, explorerKeys, explorerHistory }
  return {
    explorerKeys,
    explorerHistory,
    explorerCalls: createExplorerCalls(shared),
    explorerTokens: createExplorerTokens(below),
    explorerChoices: createExplorerChoices(below),
    explorerRecords: createExplorerRecords(below),
    traceExplorerCall: createExplorerTraces(shared),
    decideFhir: createFhirOutcomes({ clock }),
    compareFhir,
  }
}
