/** Builds the services of the explorer: keys and tokens that stay on the server, what is asked with them, and what is left. */
import { compareFhir } from '../lab/conformance/compare-fhir.ts'
import { createExplorerCalls } from '../lab/explorer/explorer-calls.ts'
import { createExplorerChoices } from '../lab/explorer/explorer-choices.ts'
import { createExplorerHistory } from '../lab/explorer/explorer-history.ts'
import { createExplorerKeys } from '../lab/explorer/explorer-keys.ts'
import { createExplorerRecords } from '../lab/explorer/explorer-records.ts'
import { createExplorerTokens } from '../lab/explorer/explorer-tokens.ts'
import { createExplorerTraces } from '../lab/explorer/explorer-traces.ts'
import { createFhirOutcomes } from '../lab/explorer/fhir-outcomes.ts'

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
